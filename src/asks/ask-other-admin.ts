import { RackhandError } from '../errors.ts';
import type { Outcome } from '../operations/define/outcome.ts';
import type { CarriedOutKind, NewAsk } from './ask.ts';
import { toWithdrawStep } from './ask-operations.ts';
import type { Asks } from './asks.ts';

const ttlMs = 24 * 60 * 60_000;

/** Asks another admin for approval. Returns a message saying so, or undefined if there is no other admin. */
export async function askOtherAdmin(
  asks: Pick<Asks, 'ask'>,
  request: Pick<NewAsk, 'actor' | 'subject' | 'title'> & { readonly kind: CarriedOutKind },
  nowMs: number,
): Promise<Outcome | undefined> {
  const { title } = request;
  const asked = await asks.ask({
    ...request,
    required: { right: 'admin', vps: [] },
    expiresMs: nowMs + ttlMs,
    route: { channel: null },
  });
  switch (asked.kind) {
    case 'nobody':
      return undefined;
    case 'unreachable':
      throw new RackhandError(
        'member_unknown',
        'Another admin has to approve this, but none could be asked.',
      );
    case 'asked':
      return {
        title: `Another admin has to approve this: ${title}`,
        notes: ["Nothing changes until an admin approves it. You'll get the answer in a direct message."],
        next: [toWithdrawStep(asked.id)],
      };
  }
}
