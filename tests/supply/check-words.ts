import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { namesIn, wordsOf } from './declared-names.ts';
import { ALLOWED, type Allowed, REPLACED, type Replaced } from './glossary.ts';

const root = join(import.meta.dirname, '../..');
const exclude = (path: string) =>
  /(^|\/)(node_modules|dist|data)(\/|$)|^bench\/baselines\/(astro|next)(\/|$)|^demo\/(content|pictures)\//.test(
    path,
  );

/** A name that holds a replaced word. */
export interface Finding {
  file: string;
  line: number;
  name: string;
  word: string;
  better: string;
}

/** The names of a file that hold a word which the glossary replaces, in this kind of file. */
export function replacedWords(
  file: string,
  text: string,
  replaced: readonly Replaced[] = REPLACED,
): Finding[] {
  const rules = replaced.filter(({ only }) => only?.test(file) ?? true);
  return namesIn(file, text).flatMap(({ name, line }) => {
    const words = wordsOf(name);
    return rules.flatMap(({ old, better }) => {
      const [word] = old.exec(words) ?? [];
      return word === undefined ? [] : [{ file, line, name, word, better }];
    });
  });
}

/** What is not allowed, as lines to print; then the entries of the allow-list that allow nothing. */
export function complaints(findings: readonly Finding[], allowed: readonly Allowed[] = ALLOWED): string[] {
  const allows = ({ word, within }: Allowed, finding: Finding) =>
    word === finding.word && finding.file.startsWith(within);
  return [
    ...findings
      .filter((finding) => !allowed.some((entry) => allows(entry, finding)))
      .map(({ file, line, name, word, better }) => `${file}:${line} ${name}: ${word} -> ${better}`),
    ...allowed
      .filter((entry) => !findings.some((finding) => allows(entry, finding)))
      .map(({ word, within }) => `tests/supply/glossary.ts: "${word}" is allowed in ${within} and not there`),
  ];
}

function sources(): Map<string, string> {
  const files = globSync(['{server,tools,wordpress,client,shared,demo,tests,bench}/**/*.*', '*.ts'], {
    cwd: root,
    exclude,
  });
  const isText = (file: string) => /\.(tsx?|css)$/.test(file);
  return new Map(
    files.sort().map((file) => [file, isText(file) ? readFileSync(join(root, file), 'utf8') : '']),
  );
}

/** Prints every replaced word in a name. Exits with 1 where there is one. */
function main(): void {
  const findings = [...sources()].flatMap(([file, text]) => replacedWords(file, text));
  const lines = complaints(findings);
  for (const line of lines) console.error(line);
  process.exitCode = lines.length > 0 ? 1 : 0;
}

if (import.meta.main) main();
