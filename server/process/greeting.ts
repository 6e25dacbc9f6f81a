import type { Config } from '#server/config/config.ts';

/** Returns what `npm start` says on a terminal: the site's address, the dashboard's, and what serves the content. */
export function greeting({ port, host, ops, apiHost, wordpressUrl }: Config): string {
  const dashboard = ops.port === 0 ? 'off (OPS_PORT=0)' : address(ops.host, ops.port);
  const wordpress = wordpressUrl && `WordPress at ${wordpressUrl}`;
  return [
    '',
    `  Site       ${address(host, port)}`,
    `  Dashboard  ${dashboard}`,
    `  Content    ${apiHost ?? wordpress ?? 'the demo CMS (API_HOST is not set)'}`,
    '',
    '',
  ].join('\n');
}

/** A server that listens on every address is reached at this machine's own name. */
function address(host: string, port: number): string {
  const name = host === '0.0.0.0' || host === '::' ? 'localhost' : host;
  return `http://${name.includes(':') ? `[${name}]` : name}:${port}`;
}
