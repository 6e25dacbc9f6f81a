import { z } from 'zod';

export const FAULT_KINDS = [
  'status',
  'hang',
  'reset',
  'broken-json',
  'wrong-json',
  'html',
  'cut-body',
  'slow-body',
  'huge-body',
  'deep-json',
  'latency',
  'gzip-bomb',
] as const;
export type FaultKind = (typeof FAULT_KINDS)[number];

export const faultRule = z.strictObject({
  /** Prefix of a path, or a pattern of a whole path in which `*` is any text. The query is ignored. */
  path: z.string().startsWith('/'),
  kind: z.enum(FAULT_KINDS),
  /** For `status` and `html`. Default: 500 and 200. */
  status: z.int().min(200).max(599).optional(),
  /** For `latency`: the delay; for `slow-body`: the pause after each byte. Default: 100. */
  ms: z.number().min(0).optional(),
  /** Share of the calls that it hits, at random from a fixed seed. Default: all. */
  rate: z.number().min(0).max(1).optional(),
  /** For `wrong-json`: the JSON of the response. Default: null. */
  body: z.json().optional(),
  /** How many calls it hits. Default: no limit. */
  times: z.int().positive().optional(),
});
/** One injected fault. */
export type FaultRule = z.infer<typeof faultRule>;

const SEED = 0x9e3779b9;

/** Creates the rules in force, none at first. */
export function createFaultRules() {
  let active: { rule: FaultRule; left: number; covers: (path: string) => boolean }[] = [];
  let chance = seededChance(SEED);

  return {
    /** Replaces all rules, and resets the random sequence. */
    set(rules: readonly FaultRule[]): void {
      chance = seededChance(SEED);
      active = rules.map((rule) => ({ rule, left: rule.times ?? Infinity, covers: matcherOf(rule.path) }));
    },
    /**
     * Returns the rules that hit a call to this path, and counts the hits: every `latency` before the first rule of another
     * kind, and that one.
     */
    hit(path: string): FaultRule[] {
      const hits: FaultRule[] = [];
      for (const entry of active) {
        if (entry.left === 0 || !entry.covers(path)) continue;
        if (entry.rule.rate !== undefined && chance() >= entry.rule.rate) continue;
        entry.left -= 1;
        hits.push(entry.rule);
        if (entry.rule.kind !== 'latency') break;
      }
      return hits;
    },
  };
}

function matcherOf(pattern: string): (path: string) => boolean {
  if (!pattern.includes('*')) return (path) => path.startsWith(pattern);
  const literal = (text: string) => text.replace(/[.+?^${}()|[\]\\]/g, '\\$&');
  const whole = new RegExp(`^${pattern.split('*').map(literal).join('.*')}$`);
  return (path) => whole.test(path);
}

/** Makes a generator of random numbers from 0 up to 1 with a seed (mulberry32). */
function seededChance(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}
