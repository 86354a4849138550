import { parseConfirmationToken } from '../../../src/runs/pipeline/confirmation/confirmation-token.ts';
import type { ConfirmationClick } from '../../../src/runs/pipeline/run-context.ts';
import type { ReplyRoute } from '../../../src/runs/recovery/hand-over.ts';
import type { RunReply } from '../../../src/runs/run-reply.ts';
import type { Runner } from '../../../src/runs/runner.ts';
import { notifyIfSlow } from '../../../src/slack/messages/progress-message.ts';
import type { ContinueWork, SimulatedProcess } from '../simulated-process.ts';
import { recordReply, type World } from '../world.ts';

/** How long people wait for a reply before they give up. */
const patienceMs = 12 * 60_000;

/** When a card is replaced by a notice. */
const noticeMs = 500;

/** Makes a process do something. The route identifies the delivery. */
type Act = (runner: Runner, route: ReplyRoute) => Promise<RunReply>;

export type Deliveries = ReturnType<typeof createDeliveries>;

/** Brings what people do to a process, and the replies back. */
export function createDeliveries(world: World, findReady: () => readonly SimulatedProcess[]) {
  const { random, time, scenario } = world;
  const busy = new Set<Promise<void>>();

  function begin(work: () => Promise<void>): void {
    const done: Promise<void> = time.outside(work).finally(() => busy.delete(done));
    busy.add(done);
  }

  /** How people react when another process replies to a delivery that was handed over, by delivery. */
  const handedOver = new Map<string, (reply: RunReply) => void>();
  let deliveries = 0;

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
    deliveries += 1;
    const viewId = `delivery ${deliveries}`;
    const continued = Promise.withResolvers<RunReply>();
    handedOver.set(viewId, continued.resolve);
    const reply = await serve(random.pick(ready), (runner) => act(runner, { isPublic: false, viewId }));
    if (reply?.kind !== 'handedOver') return reply;
    return Promise.race([continued.promise, time.sleep(patienceMs).then(() => undefined)]);
  }

  /** Lets a process handle something. Resolves to the reply if the person sees it. */
  async function serve(
    target: SimulatedProcess,
    act: (runner: Runner) => Promise<RunReply>,
  ): Promise<RunReply | undefined> {
    const seen = Promise.withResolvers<RunReply>();
    const handled = target
      .serve(async () => {
        const reply = await act(target.runner);
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

  /** Continues what another process has handed over. */
  const continueWork: ContinueWork = (target, work) =>
    begin(async () => {
      const reply = await serve(target, (runner) =>
        work.kind === 'confirm' ? confirm(runner, work, 0) : runner.resume(work),
      );
      const viewId = work.route?.viewId;
      if (reply && reply.kind !== 'handedOver' && viewId !== undefined) handedOver.get(viewId)?.(reply);
    });

  /** Confirms. Replaces the card by a notice if that takes longer than `afterMs`, as the listener does. */
  const confirm = (runner: Runner, click: ConfirmationClick, afterMs = noticeMs) =>
    notifyIfSlow(runner.confirm(click), afterMs, async () => {
      const { runId } = parseConfirmationToken(click.token);
      if (await runner.ownConfirmation(click.token)) world.record({ kind: 'checking', runId });
    });

  return { begin, deliver, confirm, continueWork, isIdle: () => busy.size === 0 };
}
