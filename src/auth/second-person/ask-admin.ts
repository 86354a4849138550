import { RackhandError } from '../../errors.ts';
import type { Outcome } from '../../operations/define/outcome.ts';
import type { NewPendingAct, SecondPerson } from './second-person.ts';

/** How long another admin can approve an act. */
const actTtlMs = 24 * 60 * 60_000;

/**
 * Asks another admin to approve an act. Returns the outcome of asking, or undefined if the act can
 * be carried out: it was approved, or there is no other admin.
 */
export async function askOtherAdmin(
  secondPerson: Pick<SecondPerson, 'ask'>,
  act: Pick<NewPendingAct, 'actor' | 'kind' | 'subject' | 'title'>,
  nowMs: number,
): Promise<Outcome | undefined> {
  const { title } = act;
  const expiresMs = nowMs + actTtlMs;
  const asked = await secondPerson.ask({
    ...act,
    right: 'admin',
    vps: [],
    expiresMs,
    route: { channel: null },
  });
  switch (asked.kind) {
    case 'nobody':
    case 'approved':
      return undefined;
    case 'unreachable':
      throw new RackhandError(
        'member_unknown',
        'Another admin has to approve this, and none could be asked.',
      );
    case 'declined':
      return { title: `Another admin declined this: ${title}` };
    case 'asked':
      return {
        title: `Another admin has to approve this: ${title}`,
        notes: ["Nothing changes until then. You'll get the answer in a direct message."],
      };
  }
}
