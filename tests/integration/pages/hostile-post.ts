import { z } from 'zod';
import { HOSTILE_HTML } from '../../fixtures/hostile-html.ts';
import type { SiteUnderTest } from '../site-under-test.ts';

/** Traces that a hostile text leaves where it is parsed as markup or code. */
const BREAKERS = [
  '</script><script>window.hostile=1</script>',
  '"><img src=x onerror="window.hostile=1">',
  '\'"`<svg onload=window.hostile=1>',
  '</title></style></textarea></noscript><script>window.hostile=1</script>',
  ']]><script>window.hostile=1</script><![CDATA[',
  '<!--<script>window.hostile=1//-->',
  '\u2028window.hostile=1\u2029',
  '&lt;script&gt;window.hostile=1&lt;/script&gt;',
  '{{constructor.constructor("window.hostile=1")()}}',
];

/** Elements whose unclosed tag swallows what follows. */
const SWALLOWS = /<plaintext|<svg|<!\[CDATA/;

type Post = Record<string, z.infer<ReturnType<typeof z.json>>>;

const Details = z.object({ result: z.array(z.record(z.string(), z.json())).min(1) });

/** Makes every text and URL of a post hostile; its body is the whole corpus between two headings. */
function hostilePost(post: Post): Post {
  const text = BREAKERS.join(' ');
  return {
    ...post,
    post_title: `Hostile ${text}`,
    p_content: text,
    meta_description: text,
    meta_keywords: BREAKERS.join(','),
    post_author: `Author ${text}`,
    banner_img: 'javascript:window.hostile=1',
    podcast_link: 'javascript:window.hostile=1//https://www.youtube.com/watch?v=abcdefghijk',
    post_content: [
      `<h2>First ${BREAKERS.filter((breaker) => !SWALLOWS.test(breaker)).join(' ')}</h2>`,
      '<h2 id="main">Second</h2><h3 name="getElementById" id="state">Third</h3>',
      ...HOSTILE_HTML.filter((piece) => !SWALLOWS.test(piece)).map(
        (piece) => `<div>${piece.replaceAll('alert(1)', 'window.hostile=1')}</div>`,
      ),
      '</div></article></main></body></html><footer id="escaped">escaped</footer><p>The end.</p>',
      '<plaintext><script>window.hostile=1</script>',
    ].join('\n'),
  };
}

/** Makes the demo CMS serve one of its articles as a hostile one, in lists too. Resolves with its path. */
export async function makeHostile(site: SiteUnderTest): Promise<string> {
  const latest = z
    .array(z.looseObject({ cat_slug: z.string(), post_name: z.string() }))
    .min(3)
    .parse(await (await fetch(`${site.demoCms}/api/post/latest`)).json());
  const [post] = latest;
  const address = `/${post?.cat_slug}/${post?.post_name}`;
  const call = `/api/post/postdetails${address}`;
  const details = Details.parse(await (await fetch(site.demoCms + call)).json());
  const homeCall = '/api/post/homelatest';
  const home = z
    .array(z.record(z.string(), z.json()))
    .parse(await (await fetch(site.demoCms + homeCall)).json());
  await site.faults([
    { path: call, kind: 'wrong-json', body: { ...details, result: [hostilePost(details.result[0] ?? {})] } },
    { path: homeCall, kind: 'wrong-json', body: home.map((one, i) => (i === 0 ? hostilePost(one) : one)) },
  ]);
  return address;
}
