/** Pages are kept, not answers. */
export async function ask(path: string): Promise<unknown> {
  const answer = await fetch(`${process.env['API_HOST']}${path}`);
  if (!answer.ok) throw new Error(`${path}: ${answer.status}`);
  return answer.json();
}
