import { COLUMNS, type Column, FAULT_TABLE, type Fault, type FaultName } from './fault-table.ts';

const BROKEN = 'BROKEN';

interface Seen {
  text: string;
  ok: boolean;
}

/** Collects the result of each promise. */
export interface Report {
  /** Records one check of a promise. A promise that is checked more than once must hold each time. */
  seen(fault: FaultName, column: Column, text: string, ok: boolean): void;
  /** Records why a fault could not be injected here. */
  untried(fault: FaultName, reason: string): void;
  /** Prints what is not a promise. */
  note(text: string): void;
  /** Returns the table as text; promises that were not checked count as broken unless `partial`. */
  finish(partial: boolean): { text: string; ok: boolean };
}

export function createReport(print: (line: string) => void): Report {
  const results = new Map<string, Seen>();
  const untried = new Map<string, string>();
  const notes: string[] = [];
  const promisesOf = (fault: FaultName): Fault['promises'] => FAULT_TABLE[fault].promises;

  function lineOf(fault: FaultName, column: Column, promise: string): string | null {
    const result = results.get(`${fault} ${column}`);
    if (!result) return null;
    return `${result.ok ? 'ok    ' : BROKEN}  ${FAULT_TABLE[fault].fault} | ${column} | ${promise}\n          seen: ${result.text}`;
  }

  return {
    seen(fault, column, text, ok) {
      const key = `${fault} ${column}`;
      const earlier = results.get(key);
      if (promisesOf(fault)[column] === undefined) throw new Error(`there is no promise for ${key}`);
      results.set(key, {
        text: earlier ? `${earlier.text}; ${text}` : text,
        ok: ok && (earlier?.ok ?? true),
      });
      print(`${ok ? '.' : 'x'} ${key}: ${text}`);
    },
    untried(fault, reason) {
      untried.set(fault, reason);
    },
    note(text) {
      notes.push(text);
      print(`  ${text}`);
    },
    finish(partial) {
      const lines: string[] = [];
      for (const fault of Object.keys(FAULT_TABLE) as FaultName[]) {
        for (const column of COLUMNS) {
          const promise = promisesOf(fault)[column];
          if (promise === undefined) continue;
          const line = lineOf(fault, column, promise);
          const reason = untried.get(fault);
          if (line) lines.push(line);
          else if (reason) lines.push(`untried ${FAULT_TABLE[fault].fault} | ${column} | ${reason}`);
          else if (!partial) {
            lines.push(
              `${BROKEN}  ${FAULT_TABLE[fault].fault} | ${column} | ${promise}\n          seen: nothing`,
            );
          }
        }
      }
      const broken = lines.filter((line) => line.startsWith(BROKEN));
      // Again at the end, where whoever reads a long log looks first.
      return { text: [...lines, '', ...notes, ...broken].join('\n'), ok: broken.length === 0 };
    },
  };
}
