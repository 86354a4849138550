import { writeFileSync } from 'node:fs';
import { cpus, loadavg, totalmem } from 'node:os';

const page = new URL('../docs/benchmarks.md', import.meta.url);

/** Collects what the benches print, and writes it into docs/benchmarks.md. */
export async function writePage(runBenches: () => Promise<void>): Promise<void> {
  const lines: string[] = [];
  const print = console.log;
  console.log = (line: string) => {
    lines.push(line);
    print(line);
  };
  const [loadBefore = 0] = loadavg();
  try {
    await runBenches();
  } finally {
    console.log = print;
  }
  const processors = cpus();
  writeFileSync(
    page,
    `# Benchmarks

Written by \`npm run bench -- --write\`. Compare figures of one table only: they were measured in one run.

- Date: ${new Date().toISOString().slice(0, 10)}
- Machine: ${processors.length} × ${processors[0]?.model.trim() ?? 'unknown'}, ${Math.round(totalmem() / 2 ** 30)} GB, Node.js ${process.version}
- Load of the machine before the run: ${loadBefore.toFixed(1)}. A quiet machine has less than 0.5; with more, other programs made the times longer.

\`\`\`text
${lines.join('\n').trim()}
\`\`\`
`,
  );
}
