import axe from 'axe-core';
import type { Page } from 'playwright-core';
import { z } from 'zod';

const findings = z.array(
  z.object({
    id: z.string(),
    impact: z.string().nullable(),
    nodes: z.array(z.object({ target: z.array(z.unknown()), failureSummary: z.string().optional() })),
  }),
);

/** Lists what axe finds serious or critical on a page as it stands: rule, element and reason, none of each twice. */
export async function seriousFindings(page: Page): Promise<string[]> {
  await page.evaluate(axe.source);
  const violations = findings.parse(
    await page.evaluate(
      'axe.run(document, { resultTypes: ["violations"] }).then((result) => result.violations)',
    ),
  );
  const grave = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical');
  return [
    ...new Set(
      grave.flatMap(({ id, nodes }) =>
        nodes.map(({ target, failureSummary = '' }) => `${id}: ${target.join(' ')}: ${failureSummary}`),
      ),
    ),
  ];
}
