import type { RichTextBlock, RichTextBlockElement, RichTextElement, RichTextSection } from '@slack/types';
import { parseLine, type Span } from '../../../../../mrkdwn/parse-mrkdwn.ts';

type Style = NonNullable<Extract<RichTextElement, { type: 'text' }>['style']>;

/** Converts text with marks (`*bold*`, `- item`, `1. item`, `> quote`, three backticks) to rich text. */
export function parseRichText(text: string): RichTextBlock {
  const elements = text.split(/(```[\s\S]+?```)/).flatMap((piece, index): RichTextBlockElement[] => {
    if (index % 2 === 0) return piece === '' ? [] : parseLines(piece.replace(/^\n/, index > 0 ? '' : '\n'));
    const code = piece.slice(3, -3).replace(/^\n|\n$/g, '');
    return code === '' ? [] : [{ type: 'rich_text_preformatted', elements: [{ type: 'text', text: code }] }];
  });
  return { type: 'rich_text', elements };
}

const bullet = /^ *[-•] (.*)$/;
const numbered = /^ *\d+[.)] (.*)$/;
const quoted = /^> ?(.*)$/;

function parseLines(text: string): RichTextBlockElement[] {
  const groups: { kind: LineKind; lines: string[] }[] = [];
  for (const line of text.replace(/\n$/, '').split('\n')) {
    const [kind, content] = parseLineKind(line);
    const last = groups.at(-1);
    if (last?.kind === kind) last.lines.push(content);
    else groups.push({ kind, lines: [content] });
  }
  return groups.map(({ kind, lines }) => buildElement(kind, lines));
}

type LineKind = 'bullet' | 'ordered' | 'quote' | 'section';

function parseLineKind(line: string): [LineKind, string] {
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

function buildElement(kind: LineKind, lines: readonly string[]): RichTextBlockElement {
  if (kind === 'bullet' || kind === 'ordered') {
    const items = lines.map(
      (line): RichTextSection => ({ type: 'rich_text_section', elements: parseRuns(line) }),
    );
    return { type: 'rich_text_list', style: kind, elements: items };
  }
  const elements = lines.flatMap((line, index): RichTextElement[] => [
    ...(index > 0 ? [{ type: 'text' as const, text: '\n' }] : []),
    ...parseRuns(line),
  ]);
  return { type: kind === 'quote' ? 'rich_text_quote' : 'rich_text_section', elements };
}

function parseRuns(line: string): RichTextElement[] {
  // Typed text isn't escaped, so `<` doesn't start a token here.
  return parseLine(line.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')).flatMap(
    (span) => spanToRuns(span, {}),
  );
}

function spanToRuns(span: Span, style: Style): RichTextElement[] {
  const styled = Object.keys(style).length > 0 ? { style } : {};
  switch (span.kind) {
    case 'styled':
      return span.children.flatMap((child) => spanToRuns(child, { ...style, [span.style]: true }));
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

/** Formats rich text with the same marks. People, channels and so on become their IDs. */
export function formatRichText(value: unknown): string {
  return readObjects(value, 'elements').map(formatBlock).join('\n');
}

type Run = Record<string, unknown>;

function formatBlock(element: Run): string {
  const inner = () => formatRuns(readObjects(element, 'elements'));
  switch (element.type) {
    case 'rich_text_list': {
      const mark = (index: number) => (element.style === 'ordered' ? `${index + 1}. ` : '- ');
      return readObjects(element, 'elements')
        .map((item, index) => mark(index) + formatRuns(readObjects(item, 'elements')))
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

/** Outermost first. */
const marks: readonly (readonly [string, string])[] = [
  ['bold', '*'],
  ['italic', '_'],
  ['strike', '~'],
  ['code', '`'],
];

/**
 * Puts marks around the longest possible stretches with the same style. Marks around each run would
 * touch each other.
 */
function formatRuns(runs: readonly Run[], [outer, ...rest] = marks): string {
  if (!outer) return runs.map(formatRun).join('');
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
      const text = formatRuns(stretch.runs, rest);
      // A mark next to a space isn't recognized, so it is placed inside the spaces.
      return stretch.isMarked ? text.replace(/^(\s*)([\s\S]*?)(\s*)$/, `$1${mark}$2${mark}$3`) : text;
    })
    .join('');
}

function hasStyle({ style }: Run, name: string): boolean {
  return typeof style === 'object' && style !== null && Reflect.get(style, name) === true;
}

function formatRun(run: Run): string {
  if (run.type === 'emoji') return `:${String(run.name)}:`;
  const texts = [run.text, run.url, run.user_id, run.channel_id, run.usergroup_id, run.range, run.value];
  return String(texts.find((text) => typeof text === 'string') ?? '');
}

function readObjects(value: unknown, field: string): Run[] {
  const list: unknown =
    typeof value === 'object' && value !== null && field in value ? Reflect.get(value, field) : [];
  return Array.isArray(list) ? list.filter((item) => typeof item === 'object' && item !== null) : [];
}
