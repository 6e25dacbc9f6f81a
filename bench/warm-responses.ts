/** One kind of warm response that is measured. */
export interface WarmResponse {
  /** Also the value of `x-example`, which tells the references what to send. */
  name: string;
  path: (article: string) => string;
  /** Request headers. `origin`: of the site. */
  headers: (origin: string, article: string) => Promise<Record<string, string>>;
}

const BROWSER = {
  'user-agent':
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36',
};

function encoded(name: string, path: WarmResponse['path'], encoding: string): WarmResponse {
  const named = `${name}, ${encoding}`;
  return {
    name: named,
    path,
    headers: async () => ({ ...BROWSER, 'accept-encoding': encoding, 'x-example': named }),
  };
}

const home = () => '/';
const articlePage = (article: string) => article;

/** The warm responses that browsers, crawlers and programs get. */
export const WARM_RESPONSES: readonly WarmResponse[] = [
  encoded('home', home, 'br'),
  encoded('home', home, 'gzip'),
  encoded('home', home, 'identity'),
  encoded('article', articlePage, 'br'),
  encoded('article', articlePage, 'identity'),
  {
    name: 'article, 304',
    path: articlePage,
    async headers(origin, article) {
      const asked = { ...BROWSER, 'accept-encoding': 'br' };
      const etag = (await fetch(origin + article, { headers: asked })).headers.get('etag') ?? '';
      return { ...asked, 'if-none-match': etag, 'x-example': 'article, 304' };
    },
  },
  encoded('JSON of an article', (article) => `/api/articles${article}`, 'br'),
];
