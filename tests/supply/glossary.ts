/** A home-made word, and the one of the field that says the same. */
export interface Replaced {
  /** Looked for in the words of a name, one space between them. */
  old: RegExp;
  better: string;
  /** The files where the word has the meaning that is replaced; elsewhere it may be a term of its own. */
  only?: RegExp;
}

/** The words that this code base has given up: one concept has one name, and that is the one of its field. */
export const REPLACED: readonly Replaced[] = [
  { old: /\banswer(s|ed|ing)?\b/, better: 'response' },
  { old: /\b(draw(s|n|ing|ings|er)?|drew)\b/, better: 'render' },
  { old: /\b(standing|stands|stood)\b/, better: 'cached' },
  { old: /(?<!\b(in|single) )\bflights?\b/, better: 'single-flight, in flight' },
  { old: /\berring\b/, better: 'stale-if-error' },
  { old: /\bdead\b(?! letter)/, better: 'expired, dead-lettered' },
  { old: /\brenew(s|al|als|ed|ing)?\b/, better: 'background refresh' },
  { old: /\b(load troubles?|troubles?|denied)\b/, better: 'failure cache' },
  { old: /\btiers?\b/, better: 'second-level cache, L2' },
  { old: /\bcop(y|ies)\b/, better: 'entry, cached value', only: /cache|redis|render|content|ops|capacity/ },
  { old: /\bmade anew\b/, better: 'background refresh' },
  { old: /\bat once\b/, better: 'concurrency limit' },
  { old: /\bcache requests?\b/, better: 'cache query' },
  { old: /\bsubjects?\b/, better: 'primary resource' },
  { old: /\bsecondary\b/, better: 'optional section', only: /^server\// },
  { old: /\bblocks?\b/, better: 'optional section', only: /^server\/content\// },
  { old: /\bcall slots?\b/, better: 'concurrency limit' },
  { old: /\bcall deadlines?\b/, better: 'request timeout' },
  { old: /\b(patien(t|ce)|impatient)\b/, better: 'timeout, deadline' },
  { old: /\ballowances?\b/, better: 'rate limit, staleness bound' },
  { old: /\breaders? minutes?\b/, better: 'rate limit window' },
  { old: /\b(readers?|client) address(es)?\b/, better: 'client IP' },
  { old: /\bset aside\b/, better: 'dead-lettered' },
  { old: /\b(settled?|settles|refused|waiting)\b/, better: 'completed, rejected, pending', only: /outbox/ },
  { old: /\bhousekeep(ing|er)?\b/, better: 'maintenance' },
  { old: /\blanes?\b/, better: 'worker' },
  { old: /\bpaces?\b/, better: 'throttle, backoff' },
  { old: /\bpeers?\b/, better: 'instance' },
  { old: /\bfates?\b/, better: 'claim, failover' },
  { old: /\badopt(s|ed|ion|ing)?\b/, better: 'claim' },
  { old: /\brequest logs?\b/, better: 'access log' },
  { old: /\bobserved metrics?\b/, better: 'gauge' },
  { old: /\blive feeds?\b/, better: 'metrics stream' },
  { old: /\bfigures\b/, better: 'metrics' },
  { old: /(?<!\bweb )\bvitals\b/, better: 'Web Vitals' },
  { old: /\blargest paint\b/, better: 'LCP' },
  { old: /\bcockpit\b/, better: 'dashboard' },
  { old: /\b(traffic (track|record)|(key|access) history)\b/, better: 'sampled accesses' },
  { old: /\bwarm pages?\b|\bpages? to warm\b/, better: 'cache warming' },
  { old: /\bkept assets?\b/, better: 'previous assets' },
  { old: /\bdoors?\b/, better: 'redirect, route' },
  { old: /\becho(es|ed)?\b/, better: 'action data' },
  { old: /\bshells?\b/, better: 'root, layout' },
  { old: /\bnewsroom\b/, better: 'demo CMS' },
  { old: /\bworlds?\b/, better: 'model' },
  { old: /\bstor(y|ies)\b/, better: 'scenario', only: /^tests\/simulation\// },
  { old: /\bjudges?\b/, better: 'invariant checker' },
  { old: /\bjournals?\b/, better: 'trace' },
  { old: /\byoung garbage\b/, better: 'V8 flags' },
  { old: /\bonce sent\b/, better: 'after response' },
];

/** A word that is meant in its ordinary sense, or that others have given. */
export interface Allowed {
  word: string;
  /** The files it is allowed in: those whose path begins so. */
  within: string;
  reason: string;
}

export const ALLOWED: readonly Allowed[] = [
  { word: 'figures', within: 'demo/', reason: 'pictures with a caption: the HTML element figure' },
  { word: 'peers', within: 'server/http/client-ip', reason: 'the other end of a connection' },
  {
    word: 'cache requests',
    within: 'shared/metric-declarations.ts',
    reason: 'metrics that keep their names',
  },
];
