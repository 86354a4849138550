import { parseInput } from '../../../src/operations/define/arguments/input.ts';
import type { RawInput } from '../../../src/operations/define/arguments/raw-input.ts';
import { hostingOperations } from '../../../src/operations/hosting-operations.ts';
import type { ConfirmationClick } from '../../../src/runs/pipeline/run-context.ts';
import type { RunReply } from '../../../src/runs/run-reply.ts';
import type { World } from '../world.ts';
import type { Deliveries } from './deliveries.ts';

export const teamId = 'T1';
export const requesters = ['U1', 'U2', 'U3'];
const catalogue = hostingOperations();

/** The person who gets the cards of a change. */
interface CardReader {
  /** The VPS that the change is about. */
  readonly vps: readonly string[];
  readonly userId: string;
  /** What the person chooses on the card. */
  readonly choices?: Partial<ConfirmationClick>;
}

interface Change extends CardReader {
  readonly operation: string;
  readonly input: RawInput;
}

export type Changes = ReturnType<typeof createChanges>;

/** Lets people type commands, and confirm, cancel or forget their cards. */
export function createChanges(world: World, { deliver, confirm }: Deliveries) {
  const { random, time } = world;

  function request(name: string, input: RawInput, userId: string, requestKey: string) {
    const operation = catalogue.find(name);
    if (!operation) throw new Error(`no operation ${name}`);
    const parsed = parseInput(operation, input);
    return deliver((runner) => {
      if (operation.kind === 'read') world.record({ kind: 'read', requestKey });
      return runner.request({
        requestKey,
        operation,
        parsed,
        actor: { teamId, userId },
        origin: { channel: 'C1' },
      });
    });
  }

  /** Asks for a change, and confirms, cancels or forgets it. Returns the token of the last card, if any. */
  async function change({ operation, input, ...reader }: Change): Promise<string | undefined> {
    const { vps, userId } = reader;
    const requestKey = `${operation} ${vps.join(' ')}`;
    for (const one of vps) world.record({ kind: 'requested', requestKey, vps: one, userId });
    return answerCards(await request(operation, input, userId, requestKey), reader);
  }

  async function answerCards(first: RunReply | undefined, who: CardReader): Promise<string | undefined> {
    let reply = first;
    let lastToken: string | undefined;
    for (let card = 0; card < 3 && reply?.kind === 'confirmation'; card += 1) {
      lastToken = reply.confirmation.token;
      const click = { ...who.choices, token: lastToken, actor: { teamId, userId: who.userId } };
      if ((await hesitate(click, who)) === 'leave') return lastToken;
      for (const vps of who.vps) world.record({ kind: 'confirmed', vps, userId: who.userId });
      reply = await deliver((runner) => confirm(runner, click));
      if (reply?.kind === 'started' && random.chance(0.1)) await cancel(click);
    }
    return lastToken;
  }

  /** What happens before somebody confirms, if they do. */
  async function hesitate(click: ConfirmationClick, { vps, userId }: CardReader): Promise<'leave' | 'go on'> {
    await time.sleep(random.between(300, 20_000));
    if (random.chance(0.05)) return 'leave';
    if (random.chance(0.1)) world.service.toggle(vps[0] ?? '');
    if (!random.chance(0.1)) return 'go on';
    for (const one of vps) world.record({ kind: 'cancelled', vps: one, userId });
    await cancel(click);
    return random.chance(0.5) ? 'leave' : 'go on';
  }

  async function cancel({ token, actor }: ConfirmationClick): Promise<void> {
    await deliver(async (runner) => {
      await runner.cancel(token, actor);
      return { kind: 'duplicate' };
    });
  }

  return { request, change };
}
