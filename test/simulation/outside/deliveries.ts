import type { Asks } from '../../../src/asks/asks.ts';
import { parseConfirmationToken } from '../../../src/runs/pipeline/confirmation/confirmation-card.ts';
import type { ConfirmationClick } from '../../../src/runs/pipeline/run-context.ts';
import type { RunReply } from '../../../src/runs/run-reply.ts';
import type { Runner } from '../../../src/runs/runner.ts';
import { notifyIfSlow } from '../../../src/slack/messages/progress-message.ts';
import type { SimulatedProcess } from '../simulated-process.ts';
import { recordReply, type World } from '../world.ts';

/** How long people wait for a reply before they give up. */
const patienceMs = 12 * 60_000;

/** When a card is replaced by a notice. */
const noticeMs = 500;

/** Makes a process do something. */
type Act = (runner: Runner, asks: Asks) => Promise<RunReply>;

export type Deliveries = ReturnType<typeof createDeliveries>;

/** Brings what people do to a process, and the replies back. */
export function createDeliveries(world: World, findReady: () => readonly SimulatedProcess[]) {
  const { random, time, scenario } = world;
  const busy = new Set<Promise<void>>();

  function begin(work: () => Promise<void>): void {
    const done: Promise<void> = time.outside(work).finally(() => busy.delete(done));
    busy.add(done);
  }

  /** Delivers something to a process, perhaps twice. Resolves to the first reply that a person sees. */
  async function deliver(act: Act): Promise<RunReply | undefined> {
    const seen = Promise.withResolvers<RunReply | undefined>();
    const times = random.chance(scenario.duplicateRate) ? random.between(2, 3) : 1;
    let open = times;
    for (let count = 0; count < times; count += 1) {
      begin(async () => {
        if (count > 0) await time.sleep(random.pick([1, 50, 5_000, 60_000]));
        const reply = await deliverOnce(act);
        open -= 1;
        if (reply && reply.kind !== 'duplicate') seen.resolve(reply);
        else if (open === 0) seen.resolve(undefined);
      });
    }
    return Promise.race([seen.promise, time.sleep(patienceMs).then(() => undefined)]);
  }

  /** Resolves to the reply if the person sees it. */
  async function deliverOnce(act: Act): Promise<RunReply | undefined> {
    const ready = findReady();
    if (ready.length === 0) return undefined;
    return serve(random.pick(ready), act);
  }

  /** Lets a process handle something. Resolves to the reply if the person sees it. */
  async function serve(target: SimulatedProcess, act: Act): Promise<RunReply | undefined> {
    const seen = Promise.withResolvers<RunReply>();
    const handled = target
      .serve(async () => {
        const reply = await act(target.runner, target.asks);
        await target.runner.deliver(reply, async () => {
          await target.gate('before a reply');
          recordReply(world, reply);
          time.outside(() => seen.resolve(reply));
          await target.gate('after a reply');
        });
      })
      // The person sees the error, as the listeners show it.
      .catch((error) => world.record({ kind: 'failed', message: `a request: ${error}` }));
    return Promise.race([seen.promise, handled.then(() => undefined), target.ended.then(() => undefined)]);
  }

  /** Confirms. Replaces the card by a notice if that takes long, as the listener does. */
  const confirm = (runner: Runner, click: ConfirmationClick) => {
    const { runId } = parseConfirmationToken(click.token);
    let isTaken = false;
    const onTaken = () => {
      isTaken = true;
    };
    return notifyIfSlow(runner.confirm({ ...click, onTaken }), noticeMs, async () => {
      if (isTaken) world.record({ kind: 'checking', runId });
    });
  };

  return { begin, deliver, confirm, isIdle: () => busy.size === 0 };
}
