import { parseInput } from '../../../src/operations/define/arguments/input.ts';
import { hostingOperations } from '../../../src/operations/hosting-operations.ts';
import type { ApprovalCard } from '../../../src/runs/pipeline/approval/approval-card.ts';
import type { ReplyRoute } from '../../../src/runs/recovery/hand-over.ts';
import type { RunReply } from '../../../src/runs/run-reply.ts';
import type { Runner } from '../../../src/runs/runner.ts';
import type { ContinueWork, SimulatedProcess } from '../simulated-process.ts';
import { recordReply, type World } from '../world.ts';
import type { CardBoard } from './card-board.ts';
import { vpsNames } from './hosting-service.ts';

const teamId = 'T1';
const requesters = ['U1', 'U2', 'U3'];
const approvers = ['U1', 'U7', 'U8'];
const catalogue = hostingOperations();

/** How long people wait for a reply before they give up. */
const patienceMs = 12 * 60_000;

/** Makes a process do something. The route identifies the delivery. */
type Act = (runner: Runner, route: ReplyRoute) => Promise<RunReply>;

/** People who type commands and press buttons. */
export function createPeople(world: World, board: CardBoard, findReady: () => readonly SimulatedProcess[]) {
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
        await target.gate('before a reply');
        recordReply(world, reply);
        time.outside(() => seen.resolve(reply));
        await target.gate('after a reply');
        await target.runner.markDelivered(reply);
      })
      // The person sees the error, as the listeners show it.
      .catch((error) => world.record({ kind: 'failed', message: `a request: ${error}` }));
    return Promise.race([seen.promise, handled.then(() => undefined), target.ended.then(() => undefined)]);
  }

  function request(name: string, vps: string, userId: string, requestKey: string) {
    const operation = catalogue.find(name);
    if (!operation) throw new Error(`no operation ${name}`);
    const parsed = parseInput(operation, { vps });
    return deliver((runner, route) =>
      runner.request({
        requestKey,
        operation,
        parsed,
        actor: { teamId, userId },
        origin: { channel: 'C1' },
        route,
      }),
    );
  }

  /** Asks for a reboot, and confirms, cancels or forgets it. */
  async function reboot(vps: string): Promise<void> {
    const userId = random.pick(requesters);
    const actor = { teamId, userId };
    const requestKey = `reboot ${vps}`;
    world.record({ kind: 'requested', requestKey, vps, userId });
    let reply = await request('reboot', vps, userId, requestKey);
    for (let card = 0; card < 3 && reply?.kind === 'confirmation'; card += 1) {
      const { token } = reply.confirmation;
      await time.sleep(random.between(300, 20_000));
      if (random.chance(0.05)) return;
      if (random.chance(0.1)) world.service.toggle(vps);
      if (random.chance(0.1)) {
        world.record({ kind: 'cancelled', vps, userId });
        await deliver(async (runner) => {
          await runner.cancel(token, actor);
          return { kind: 'duplicate' };
        });
        if (random.chance(0.5)) return;
      }
      world.record({ kind: 'confirmed', vps, userId });
      reply = await deliver((runner, route) => runner.confirm({ token, actor, route }));
      if (reply?.kind === 'started' && random.chance(0.1))
        await deliver(async (runner) => {
          await runner.cancel(token, actor);
          return { kind: 'duplicate' };
        });
    }
  }

  /** Decides about a card, or leaves it alone. */
  async function decide(card: ApprovalCard): Promise<void> {
    const vps = card.run.target ?? '';
    const userId = random.pick(approvers);
    await time.sleep(random.between(300, 30_000));
    if (random.chance(0.1)) return;
    const click = { token: card.token, approver: { teamId, userId } };
    if (random.chance(0.2)) {
      world.record({ kind: 'declined', vps, userId });
      await deliver((runner) => runner.decline(click));
    } else {
      world.record({ kind: 'approved', vps, userId });
      await deliver((runner) => runner.approve(click));
    }
  }

  async function flood(): Promise<void> {
    const userId = random.pick(requesters);
    await time.sleep(random.between(0, 60_000));
    for (let count = 0; count < scenario.floodSize; count += 1)
      begin(async () => void (await request('show', random.pick(vpsNames), userId, `show ${count}`)));
  }

  /** One person reads many VPS at once, and another person reads one more. */
  async function compete(): Promise<void> {
    while (findReady().length === 0) await time.sleep(1_000);
    const [last = '', ...others] = [...vpsNames].reverse();
    for (const name of ['show', 'live'])
      for (const vps of others)
        begin(async () => void (await request(name, vps, 'U8', `competing ${name} ${vps}`)));
    await time.sleep(10);
    const startedMs = time.now();
    const reply = await request('show', last, 'U9', 'behind the others');
    world.record({ kind: 'competed', waitMs: reply && time.now() - startedMs });
  }

  /** Continues what another process has handed over. */
  const continueWork: ContinueWork = (target, work) =>
    begin(async () => {
      const reply = await serve(target, (runner) => {
        if (work.kind === 'approve') return runner.approve(work);
        return work.kind === 'confirm' ? runner.confirm(work) : runner.resume(work);
      });
      const viewId = work.kind === 'approve' ? undefined : work.route?.viewId;
      if (reply && reply.kind !== 'handedOver' && viewId !== undefined) handedOver.get(viewId)?.(reply);
    });

  board.onCard = (card) => begin(() => decide(card));
  return {
    begin() {
      for (const vps of vpsNames.slice(0, scenario.requestCount))
        begin(async () => {
          await time.sleep(random.between(0, 90_000));
          await reboot(vps);
        });
      begin(flood);
    },
    compete: () => begin(compete),
    continueWork,
    isIdle: () => busy.size === 0,
  };
}
