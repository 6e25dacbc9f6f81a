import { get, type IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';

/** The bytes of another site's home page, kept as Next.js keeps a page: what serving takes, whatever is served. */
export const dynamic = 'force-static';
export const revalidate = 60;

/** None at build time: the other site runs only beside this one. */
export function generateStaticParams() {
  return [];
}

export async function GET(_request: Request, { params }: { params: Promise<{ encoding: string }> }) {
  const { encoding } = await params;
  // `fetch` would decompress it.
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    get(process.env.SAME_BYTES_AS ?? '', { headers: { 'accept-encoding': encoding } }, resolve).on('error', reject);
  });
  const coded = answer.headers['content-encoding'];
  return new Response(new Uint8Array(await buffer(answer)), {
    headers: { 'content-type': 'text/html; charset=utf-8', ...(coded && { 'content-encoding': coded }) },
  });
}
