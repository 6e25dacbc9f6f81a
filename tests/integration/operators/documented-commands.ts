import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '../../..');

export interface DocumentedCommand {
  page: string;
  command: string;
  /** Whether the paragraph before it, or around it, says that no test runs it. */
  isMarked: boolean;
}

/** A command within a sentence. */
const INLINE = /`((?:curl|kubectl|docker|helm) [^`]+|npm run [\w:-]+ [^`]+)`/g;
const MARK = /not run here/i;
/** Quoted text, and all else up to a space with a number sign after it. */
const BEFORE_COMMENT = /^(?:'[^']*'|"[^"]*"|\s(?!\s*# )|[^'"\s])*/;

/** Returns the commands of a page, in its blocks of `sh` and in its text. A command over several lines is one. */
export function commandsOf(page: string, text: string): DocumentedCommand[] {
  const found: DocumentedCommand[] = [];
  let before = '';
  let block: string[] | null = null;
  for (const line of text.split('\n')) {
    if (line.startsWith('```')) {
      if (block) {
        const isMarked = MARK.test(before);
        found.push(...splitCommands(block.join('\n')).map((command) => ({ page, command, isMarked })));
        block = null;
      } else if (line === '```sh') block = [];
      continue;
    }
    if (block) block.push(line);
    else if (line !== '') {
      before = line;
      for (const [, command = ''] of line.matchAll(INLINE))
        found.push({ page, command, isMarked: MARK.test(line) });
    }
  }
  return found;
}

/** Splits a script where a line ends that no quote or backslash continues, and takes comments away. */
function splitCommands(script: string): string[] {
  const commands: string[] = [];
  let open = '';
  for (const line of script.split('\n')) {
    open += line;
    if (line.endsWith('\\')) {
      open = `${open.slice(0, -1)} `;
      continue;
    }
    const quotes = open.match(/'/g) ?? [];
    if (quotes.length % 2 === 1) {
      open += '\n';
      continue;
    }
    commands.push((BEFORE_COMMENT.exec(open)?.[0] ?? '').trim());
    open = '';
  }
  return commands.filter(Boolean);
}

/** Returns the commands of all pages for operators. */
export function documentedCommands(): DocumentedCommand[] {
  const folder = 'docs/operating';
  const pages = readdirSync(join(root, folder)).filter((name) => name.endsWith('.md'));
  return [...pages.map((name) => `${folder}/${name}`), 'deploy/kubernetes/README.md'].flatMap((page) =>
    commandsOf(page, readFileSync(join(root, page), 'utf8')),
  );
}
