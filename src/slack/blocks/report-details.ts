import type { VpsDetail } from '../../monitoring/reports/summary/fleet/fleet-summary.ts';
import { buttonRow, headingBlock, noteBlocks, stepButtons } from './elements/blocks.ts';
import { fitMessage } from './elements/fit-message.ts';
import { notificationText } from './elements/text.ts';
import type { Message } from './message.ts';

/** VPS per message. A phone shows this many without collapsing the message. */
const vpsPerMessage = 5;

/** Renders a report's findings, VPS by VPS, in as few messages as possible. */
export function renderReportDetails(details: readonly VpsDetail[]): readonly Message[] {
  const starts = details.flatMap((_, index) => (index % vpsPerMessage === 0 ? [index] : []));
  return starts.map((start) => {
    const part = details.slice(start, start + vpsPerMessage);
    return {
      text: notificationText(part.map(({ title }) => title).join('; ')),
      blocks: fitMessage(
        part.flatMap(({ title, lines, next }) => [
          headingBlock(title),
          ...noteBlocks(lines),
          ...buttonRow(stepButtons(next)),
        ]),
      ),
    };
  });
}
