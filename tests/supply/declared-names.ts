import { basename } from 'node:path';
import { parseSync } from 'vite';

/** A name that a file gives to something, and the line where it does. */
export interface Name {
  name: string;
  line: number;
}

interface Node {
  type: string;
  start: number;
  [key: string]: unknown;
}

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && typeof (value as Node).type === 'string';

/** Which of a node's parts name something, by the node's type. */
const DECLARED: Record<string, readonly string[]> = {
  VariableDeclarator: ['id'],
  FunctionDeclaration: ['id', 'params'],
  FunctionExpression: ['id', 'params'],
  ArrowFunctionExpression: ['params'],
  TSDeclareFunction: ['id', 'params'],
  TSEmptyBodyFunctionExpression: ['id', 'params'],
  TSFunctionType: ['params'],
  TSMethodSignature: ['key', 'params'],
  CatchClause: ['param'],
  ClassDeclaration: ['id'],
  ClassExpression: ['id'],
  PropertyDefinition: ['key'],
  AccessorProperty: ['key'],
  MethodDefinition: ['key'],
  TSInterfaceDeclaration: ['id'],
  TSTypeAliasDeclaration: ['id'],
  TSEnumDeclaration: ['id'],
  TSEnumMember: ['id'],
  TSModuleDeclaration: ['id'],
  TSPropertySignature: ['key'],
  TSTypeParameter: ['name'],
  TSNamedTupleMember: ['label'],
  ImportDefaultSpecifier: ['local'],
  ImportNamespaceSpecifier: ['local'],
};

/** The identifiers that a TypeScript file declares. Uses are left out: they repeat a declaration, or are others' names. */
function declaredNames(file: string, text: string): Name[] {
  const { program, errors } = parseSync(file, text);
  if (errors.length > 0) throw new Error(`${file}: ${errors[0]?.message}`);
  const found = new Map<string, number>();

  function take(target: unknown): void {
    if (Array.isArray(target)) for (const item of target) take(item);
    else if (isNode(target)) takeNode(target);
  }

  /** An identifier, or the identifiers of a pattern. */
  function takeNode(target: Node): void {
    if (target.type === 'Identifier' || target.type === 'PrivateIdentifier') {
      const name = String(target['name']);
      found.set(name, Math.min(found.get(name) ?? target.start, target.start));
    } else if (target.type === 'ObjectPattern') take(target['properties']);
    else if (target.type === 'Property') take(target['value']);
    else if (target.type === 'ArrayPattern') take(target['elements']);
    else if (target.type === 'AssignmentPattern') take(target['left']);
    else if (target.type === 'RestElement') take(target['argument']);
    else if (target.type === 'TSParameterProperty') take(target['parameter']);
  }

  function walk(node: Node, parent: Node | null): void {
    if (node['computed'] !== true) for (const part of DECLARED[node.type] ?? []) take(node[part]);
    if (node.type === 'Property' && parent?.type === 'ObjectExpression' && node['shorthand'] !== true)
      if (node['computed'] !== true) take(node['key']);
    if (node.type === 'ImportSpecifier' && nameOf(node['imported']) !== nameOf(node['local']))
      take(node['local']);
    if (node.type === 'ExportSpecifier' && nameOf(node['exported']) !== nameOf(node['local']))
      take(node['exported']);
    for (const value of Object.values(node))
      for (const child of Array.isArray(value) ? value : [value]) if (isNode(child)) walk(child, node);
  }

  walk(program as unknown as Node, null);
  return [...found].map(([name, start]) => ({ name, line: lineAt(text, start) }));
}

function nameOf(node: unknown): unknown {
  return isNode(node) ? (node['name'] ?? node['value']) : undefined;
}

const CSS_COMMENT = /\/\*[\s\S]*?\*\//g;
const CSS_NAME = /(?<![\d%])\.([a-z][\w-]*)|(--[\w-]+)|@keyframes\s+([\w-]+)/gi;

/** The classes, custom properties and keyframes of a style sheet. */
function styleNames(text: string): Name[] {
  const bare = text
    .replace(CSS_COMMENT, (comment) => comment.replace(/[^\n]/g, ' '))
    .replace(/@import[^;]*;/g, '');
  const found = new Map<string, Name>();
  for (const { 0: whole, 1: selector, 2: property, 3: keyframes, index } of bare.matchAll(CSS_NAME)) {
    const name = selector ?? property ?? keyframes ?? whole;
    if (!found.has(name)) found.set(name, { name, line: lineAt(bare, index) });
  }
  return [...found.values()];
}

/** Every name that a file brings: its own without its endings, and what it declares. */
export function namesIn(file: string, text: string): Name[] {
  const own = { name: basename(file).replace(/\..*$/, ''), line: 1 };
  if (/\.tsx?$/.test(file)) return [own, ...declaredNames(file, text)];
  return file.endsWith('.css') ? [own, ...styleNames(text)] : [own];
}

function lineAt(text: string, offset: number): number {
  return text.slice(0, offset).split('\n').length;
}

/** The words of a name in camelCase, snake_case or kebab-case, in lower case with a space between: `MAX_CMSCalls` is `max cms calls`. */
export function wordsOf(name: string): string {
  return name
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .replace(/([A-Z]+)([A-Z][a-z])/g, '$1 $2')
    .replace(/[^A-Za-z\d]+/g, ' ')
    .trim()
    .toLowerCase();
}
