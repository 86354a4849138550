import type { MeasuredAim } from './aims.ts';

/** The page with the results: the aims, and a section for each benchmark. */
export interface ResultsPage {
  /** By what is aimed at. */
  readonly aims: ReadonlyMap<string, MeasuredAim>;
  /** By the name of the benchmark. */
  readonly sections: ReadonlyMap<string, ResultsSection>;
}

export interface ResultsSection {
  /** When and on which machine it was measured. */
  readonly machine: string;
  /** What the benchmark printed. */
  readonly output: string;
}

const introduction = `# Benchmarks

Written by \`npm run bench -- --write\`, or \`npm run bench -- history --write\` for one section. Compare figures of one table only: they were measured in one run.
A quiet machine has a load of less than 0.5; with more, other programs made the times longer.`;

const headings = ['what', 'aim', 'measured', ''];

export function parsePage(text: string): ResultsPage {
  const [, ...parts] = text.split(/^## /m);
  const sections = new Map<string, ResultsSection>();
  const aims = new Map<string, MeasuredAim>();
  for (const part of parts) {
    const [name = ''] = part.split('\n', 1);
    const { machine, output } =
      /\n\n(?<machine>[^\n]+)\n\n```text\n(?<output>.*?)\n```/s.exec(part)?.groups ?? {};
    if (machine !== undefined && output !== undefined) sections.set(name, { machine, output });
    if (name === 'aims') for (const aim of parseAims(part)) aims.set(aim.what, aim);
  }
  return { aims, sections };
}

function parseAims(part: string): readonly MeasuredAim[] {
  const rows = part.split('\n').filter((line) => line.startsWith('|'));
  // The first two rows are the headings.
  return rows.slice(2).map((row) => {
    const [, what = '', aim = '', measured = '', verdict] = row.split('|').map((cell) => cell.trim());
    return { what, aim, measured, verdict: verdict === 'reached' ? 'reached' : 'missed' };
  });
}

/** Formats a page. Its sections are in the order of `names`, and its aims in the order of `aimNames`. */
export function formatPage(
  { aims, sections }: ResultsPage,
  { names, aimNames }: { readonly names: readonly string[]; readonly aimNames: readonly string[] },
): string {
  const toRow = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  const aimRows = aimNames.flatMap((what) => {
    const aim = aims.get(what);
    return aim ? toRow([what, aim.aim, aim.measured, aim.verdict]) : [];
  });
  const parts = names.flatMap((name) => {
    const section = sections.get(name);
    return section ? `## ${name}\n\n${section.machine}\n\n\`\`\`text\n${section.output}\n\`\`\`` : [];
  });
  const table = [toRow(headings), toRow(headings.map(() => '---')), ...aimRows].join('\n');
  return `${[introduction, `## aims\n\n${table}`, ...parts].join('\n\n')}\n`;
}
