import type { Detail } from '../../reports/summary/fleet-summary.ts';
import { buttonRow, heading, notes, stepButtons } from '../render/blocks.ts';
import { fitMessage } from '../render/fit.ts';
import type { Message } from '../render/message.ts';
import { notificationText } from '../render/text.ts';

/** VPS of one message: what a phone shows without folding it. */
const perMessage = 5;

/** Tells what stands out, VPS by VPS, in as few messages as can be read. */
export function renderDetails(details: readonly Detail[]): readonly Message[] {
  const starts = details.flatMap((_, index) => (index % perMessage === 0 ? [index] : []));
  return starts.map((start) => {
    const told = details.slice(start, start + perMessage);
    return {
      text: notificationText(told.map(({ title }) => title).join('; ')),
      blocks: fitMessage(
        told.flatMap(({ title, lines, next }) => [
          heading(title),
          ...notes(lines),
          ...buttonRow(stepButtons(next)),
        ]),
      ),
    };
  });
}
