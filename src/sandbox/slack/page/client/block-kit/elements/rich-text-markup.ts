import type { RichTextBlock, RichTextBlockElement, RichTextElement, RichTextSection } from '@slack/types';
import { parseLine, type Span } from '../markup/parse.ts';

type Style = NonNullable<Extract<RichTextElement, { type: 'text' }>['style']>;

/** Reads what somebody wrote with marks (`*bold*`, `- item`, `1. item`, `> quote`, three backticks) as rich text. */
export function richTextOf(text: string): RichTextBlock {
  const elements = text.split(/(```[\s\S]+?```)/).flatMap((piece, index): RichTextBlockElement[] => {
    if (index % 2 === 0) return piece === '' ? [] : linesOf(piece.replace(/^\n/, index > 0 ? '' : '\n'));
    const code = piece.slice(3, -3).replace(/^\n|\n$/g, '');
    return code === '' ? [] : [{ type: 'rich_text_preformatted', elements: [{ type: 'text', text: code }] }];
  });
  return { type: 'rich_text', elements };
}

const bullet = /^ *[-•] (.*)$/;
const numbered = /^ *\d+[.)] (.*)$/;
const quoted = /^> ?(.*)$/;

function linesOf(text: string): RichTextBlockElement[] {
  const groups: { kind: Kind; lines: string[] }[] = [];
  for (const line of text.replace(/\n$/, '').split('\n')) {
    const [kind, content] = kindOf(line);
    const last = groups.at(-1);
    if (last?.kind === kind) last.lines.push(content);
    else groups.push({ kind, lines: [content] });
  }
  return groups.map(({ kind, lines }) => elementOf(kind, lines));
}

type Kind = 'bullet' | 'ordered' | 'quote' | 'section';

function kindOf(line: string): [Kind, string] {
  for (const [kind, shape] of [
    ['bullet', bullet],
    ['ordered', numbered],
    ['quote', quoted],
  ] as const) {
    const content = shape.exec(line)?.[1];
    if (content !== undefined) return [kind, content];
  }
  return ['section', line];
}

function elementOf(kind: Kind, lines: readonly string[]): RichTextBlockElement {
  if (kind === 'bullet' || kind === 'ordered') {
    const items = lines.map(
      (line): RichTextSection => ({ type: 'rich_text_section', elements: runsOf(line) }),
    );
    return { type: 'rich_text_list', style: kind, elements: items };
  }
  const elements = lines.flatMap((line, index): RichTextElement[] => [
    ...(index > 0 ? [{ type: 'text' as const, text: '\n' }] : []),
    ...runsOf(line),
  ]);
  return { type: kind === 'quote' ? 'rich_text_quote' : 'rich_text_section', elements };
}

function runsOf(line: string): RichTextElement[] {
  // What is typed is not escaped; `<` is no token here.
  return parseLine(line.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')).flatMap(
    (span) => runOf(span, {}),
  );
}

function runOf(span: Span, style: Style): RichTextElement[] {
  const styled = Object.keys(style).length > 0 ? { style } : {};
  switch (span.kind) {
    case 'styled':
      return span.children.flatMap((child) => runOf(child, { ...style, [span.style]: true }));
    case 'code':
      return [{ type: 'text', text: span.text, style: { ...style, code: true } }];
    case 'link':
      return [{ type: 'link', url: span.url, ...styled }];
    case 'text':
      return [{ type: 'text', text: span.text, ...styled }];
    default:
      return [];
  }
}

/** Writes rich text with the same marks. People, channels and the like become their ids. */
export function markedText(value: unknown): string {
  return objectsIn(value, 'elements').map(blockText).join('\n');
}

type Run = Record<string, unknown>;

function blockText(element: Run): string {
  const inner = () => runsText(objectsIn(element, 'elements'));
  switch (element.type) {
    case 'rich_text_list': {
      const mark = (index: number) => (element.style === 'ordered' ? `${index + 1}. ` : '- ');
      return objectsIn(element, 'elements')
        .map((item, index) => mark(index) + runsText(objectsIn(item, 'elements')))
        .join('\n');
    }
    case 'rich_text_quote':
      return `> ${inner().replaceAll('\n', '\n> ')}`;
    case 'rich_text_preformatted':
      return `\`\`\`\n${inner()}\n\`\`\``;
    default:
      return inner();
  }
}

/** From the outermost to the innermost. */
const marks: readonly (readonly [string, string])[] = [
  ['bold', '*'],
  ['italic', '_'],
  ['strike', '~'],
  ['code', '`'],
];

/** Writes marks around the longest stretches that share a style: those of single runs would touch each other. */
function runsText(runs: readonly Run[], [outer, ...rest] = marks): string {
  if (!outer) return runs.map(plainText).join('');
  const [name, mark] = outer;
  const stretches: { isMarked: boolean; runs: Run[] }[] = [];
  for (const run of runs) {
    const isMarked = hasStyle(run, name);
    const last = stretches.at(-1);
    if (last?.isMarked === isMarked) last.runs.push(run);
    else stretches.push({ isMarked, runs: [run] });
  }
  return stretches
    .map((stretch) => {
      const text = runsText(stretch.runs, rest);
      // A mark beside a space is none.
      return stretch.isMarked ? text.replace(/^(\s*)([\s\S]*?)(\s*)$/, `$1${mark}$2${mark}$3`) : text;
    })
    .join('');
}

function hasStyle({ style }: Run, name: string): boolean {
  return typeof style === 'object' && style !== null && Reflect.get(style, name) === true;
}

function plainText(run: Run): string {
  if (run.type === 'emoji') return `:${String(run.name)}:`;
  const texts = [run.text, run.url, run.user_id, run.channel_id, run.usergroup_id, run.range, run.value];
  return String(texts.find((text) => typeof text === 'string') ?? '');
}

function objectsIn(value: unknown, field: string): Run[] {
  const list: unknown =
    typeof value === 'object' && value !== null && field in value ? Reflect.get(value, field) : [];
  return Array.isArray(list) ? list.filter((item) => typeof item === 'object' && item !== null) : [];
}
