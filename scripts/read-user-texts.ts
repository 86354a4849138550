import { globSync, readFileSync } from 'node:fs';
import { parseAst } from 'rolldown/parseAst';

/** A text that people read in Slack, on a page, in a log or on a terminal. */
export interface UserText {
  readonly file: string;
  /** The text. Computed parts are written as `{expression}`. */
  readonly text: string;
}

interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [key: string]: unknown;
}

/** JSX attributes that contain no text for people. */
const markupAttributes = new Set(['className', 'style', 'd', 'viewBox', 'id', 'href', 'src', 'role', 'type']);

/** Calls and template tags whose arguments are code, such as queries, selectors and patterns. */
const codeCalls = new Set([
  'sql',
  'RegExp',
  'querySelector',
  'querySelectorAll',
  'closest',
  'matches',
  'matchMedia',
  'wordEntries',
]);

/** Properties whose value names an operation or a file type, or is a class name. */
const codeProperties = new Set(['operation', 'className', 'content-type']);

/**
 * Match text that is code or configuration: media types, SQL, Lua, CSS, security headers, HTML
 * attributes.
 */
const codePatterns = [
  /^[a-z-]+\/[a-z-]+;/,
  /^(?:HTTP\/1\.1 \d|<\{priority\}>)/,
  /; SameSite=/,
  /^(?:SELECT|PRAGMA|BEGIN|select|insert) /,
  /^[a-z_.]+ as [a-z_]+$/,
  /^(?:is not|not in|in slot|repeatable read|Bearer)$/,
  /\b(?:redis\.call|tonumber)\(/,
  /[{;]\s*[a-z-]+:\s*[^;]+;/,
  /-src 'none'|^'self' /,
  /^noopener /,
  /^kit-\S+ /,
  /^(?:--data-urlencode|-H|curl) /,
  /^\((?:prefers-|pointer:)/,
  /\[(?:role|aria-[a-z]+)[\]=]/,
  /^translate\(/,
  // Fonts, class names and other lists of words that aren't sentences.
  /^(?:[\w-]+, )*(?:sans-serif|monospace)$/,
];

/** Returns all texts for people in the sources, sorted by file. */
export function readUserTexts(patterns: readonly string[]): UserText[] {
  const files = patterns.flatMap((pattern) => globSync(pattern)).sort();
  return files.flatMap((file) => readTexts(file, readFileSync(file, 'utf8')));
}

function readTexts(file: string, source: string): UserText[] {
  const program = parseAst(source, { lang: file.endsWith('x') ? 'tsx' : 'ts' }) as unknown as Node;
  const texts: UserText[] = [];
  const visit = (node: Node): void => {
    if (isCode(node)) return;
    const text = findText(node, source)
      ?.replaceAll(/<\/?[a-z!][^>]*>|\s+/g, ' ')
      .replaceAll(/ +/g, ' ')
      .trim();
    if (text !== undefined && isForPeople(text)) texts.push({ file, text });
    for (const child of listChildren(node)) {
      if (!(child.type === 'Literal' && isComparison(node))) visit(child);
    }
  };
  visit(program);
  return texts;
}

function isCode(node: Node): boolean {
  if (node.type.startsWith('Import') || node.type.startsWith('TSLiteral')) return true;
  if (node.type === 'JSXAttribute')
    return markupAttributes.has(findName(node.name)) || findName(node.name).startsWith('data-');
  if (node.type === 'TaggedTemplateExpression') return codeCalls.has(findName(node.tag));
  if (node.type === 'Property')
    return codeProperties.has(isNode(node.key) ? String(node.key.value ?? findName(node.key)) : '');
  if (node.type === 'CallExpression' || node.type === 'NewExpression')
    return codeCalls.has(findName(node.callee)) || isWordList(node.callee);
  return false;
}

/** Returns whether a call splits a text of the source into its words, as lists of names do. */
function isWordList(callee: unknown): boolean {
  if (!isNode(callee) || callee.type !== 'MemberExpression' || findName(callee) !== 'split') return false;
  const { object } = callee;
  if (!isNode(object)) return false;
  if (object.type !== 'CallExpression') return object.type === 'Literal' || object.type === 'TemplateLiteral';
  return isNode(object.callee) && findName(object.callee) === 'trim';
}

/** Returns whether the node compares something with a text, such as the name of a pressed key. */
function isComparison({ type, operator }: Node): boolean {
  return type === 'SwitchCase' || (type === 'BinaryExpression' && /^[!=]==$/.test(String(operator)));
}

function findName(node: unknown): string {
  if (!isNode(node)) return '';
  if (node.type === 'MemberExpression') return findName(node.property);
  return String(node.name ?? '');
}

function findText(node: Node, source: string): string | undefined {
  if (node.type === 'Literal' && typeof node.value === 'string') return node.value;
  if (node.type === 'JSXText') return String(node.value);
  if (node.type !== 'TemplateLiteral') return undefined;
  const quasis = node.quasis as readonly { readonly value: { readonly cooked: string } }[];
  const parts = node.expressions as readonly Node[];
  return quasis
    .map(({ value }, index) => {
      const part = parts[index];
      return part ? `${value.cooked}{${source.slice(part.start, part.end)}}` : value.cooked;
    })
    .join('');
}

/**
 * Returns whether a text is for people. It is if it contains two words in a row, or is one
 * capitalized word like on a button.
 */
function isForPeople(text: string): boolean {
  const words = text.replaceAll(/\{[^}]*\}/g, '\uFFFC');
  return /[\p{L}\uFFFC)][,.:;!?]? [(“"'`]?[\p{L}\uFFFC]/u.test(words) && /\p{Ll}{2}/u.test(words)
    ? !codePatterns.some((pattern) => pattern.test(text))
    : /^\p{Lu}\p{Ll}{2,}[.…!?]?$/u.test(text);
}

function listChildren(node: Node): Node[] {
  return Object.values(node).flatMap((value) =>
    Array.isArray(value) ? value.filter(isNode) : isNode(value) ? [value] : [],
  );
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value;
}
