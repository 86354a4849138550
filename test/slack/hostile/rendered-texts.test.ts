import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import { RackhandError } from '../../../src/error.ts';
import { contract } from '../../../src/hosting/contract.ts';
import type { Endpoint } from '../../../src/hosting/endpoint.ts';
import { allOperations } from '../../../src/operations/all.ts';
import { parseCommand } from '../../../src/operations/grammar.ts';
import { parseInput } from '../../../src/operations/input.ts';
import { isForChannel, type Operation } from '../../../src/operations/operation.ts';
import type { RawInput } from '../../../src/operations/outcome.ts';
import { checkInput } from '../../../src/operations/runs/checked-input.ts';
import { explain } from '../../../src/operations/runs/problem.ts';
import { createHostingSandbox } from '../../../src/sandbox/hosting/sandbox.ts';
import { checkMessage, checkView } from '../../../src/sandbox/slack/block-kit/check.ts';
import { pingsIn } from '../../../src/sandbox/slack/world/pings.ts';
import { formMetadataOf } from '../../../src/slack/form/forms.ts';
import { formView } from '../../../src/slack/form/view.ts';
import { renderConfirmation } from '../../../src/slack/render/confirmation.ts';
import type { Message } from '../../../src/slack/render/message.ts';
import { renderOutcome } from '../../../src/slack/render/outcome.ts';
import { renderProblem } from '../../../src/slack/render/problem.ts';
import { decodeTyped } from '../../../src/slack/typed-text.ts';
import { contextOf, readFrom } from '../../operations/answering.ts';
import { hostileTexts } from './services.ts';
import { typedText } from './texts.ts';

const catalogue = allOperations();
const asker = { teamId: 'T0ACME', userId: 'U0ALICE' };

/** What services answer that write what would ping into every text, and what makes no text at all. */
let services: readonly ReadonlyMap<Endpoint, unknown>[];

beforeAll(async () => {
  const sandbox = await createHostingSandbox({ port: 0, quota: 1_000 });
  const reads = Object.values(contract).filter(({ method }) => method === 'GET');
  const answers = await Promise.all(
    reads.map(async (endpoint) => {
      const path = endpoint.path.replace('{vps_name}', 'VPS-10005');
      const response = await fetch(sandbox.url + path, {
        headers: { authorization: 'Bearer sandbox-key-full' },
      });
      const { data }: { data?: unknown } = JSON.parse(await response.text());
      return [endpoint, data] as const;
    }),
  );
  await sandbox.close();
  services = [
    'names that would ping, with markup',
    'names that turn text around, and others that nobody sees',
  ].map((name) => {
    const distort = hostileTexts[name];
    return new Map<Endpoint, unknown>(
      answers.map(([endpoint, data]) => [
        endpoint,
        endpoint.path === '/v1' ? distort?.beside(data) : distort?.data(data),
      ]),
    );
  });
});

test('10,000 typed texts are each understood or refused, in a message or a form that Slack takes and that calls nobody', async () => {
  await fc.assert(
    fc.asyncProperty(typedText, fc.nat({ max: 1 }), async (text, service) => {
      await expectSaid(text, services[service] ?? new Map());
    }),
    { numRuns: 10_000, endOnFailure: true },
  );
}, 60_000);

async function expectSaid(text: string, answers: ReadonlyMap<Endpoint, unknown>): Promise<void> {
  const parsed = parseCommand(decodeTyped(text), catalogue);
  if (parsed.kind === 'malformed') return expectTaken(refusal(parsed.message));
  if (parsed.kind === 'unknown') {
    const { suggestion } = parsed;
    return expectTaken(
      refusal(`There is no operation called "${parsed.typed}". Did you mean "${suggestion?.text}"?`),
    );
  }
  const { operation, raw } = parsed;
  const given = parseInput(operation, raw);
  if (!given.ok && given.missing) return expectForm(operation, raw);
  return expectTaken(await answer(operation, raw, answers));
}

/** Answers as the runner does, up to where a change would be asked for. */
async function answer(
  operation: Operation,
  raw: RawInput,
  answers: ReadonlyMap<Endpoint, unknown>,
): Promise<Message> {
  const context = contextOf(readFrom(answers));
  try {
    const checked = await checkInput(operation, raw, context);
    if (!checked.ok) return renderProblem(checked.problem);
    const { input } = checked;
    if (operation.kind === 'read')
      return renderOutcome(await operation.run(context, input), { runId: 'run' });
    if (operation.kind !== 'change') return refusal(operation.summary);
    const present = await operation.present?.(context, input);
    return renderConfirmation({
      token: 'token',
      title: operation.title(input),
      button: operation.button,
      facts: present?.facts ?? [],
      effect: 'destroy',
      isAskedAgain: true,
      ...(operation.warning !== undefined && { warning: operation.warning }),
      ...(operation.typedToConfirm && { typed: operation.typedToConfirm(input) }),
    });
  } catch (error) {
    // A crash is not a refusal: it must come out here.
    if (!(error instanceof RackhandError) && !String(error).includes('no quota here')) throw error;
    return renderProblem(explain(error, { changing: false }));
  }
}

function refusal(words: string): Message {
  return renderProblem(explain(new RackhandError('input_invalid', words), { changing: false }));
}

function expectTaken(message: Message): void {
  expect(checkMessage(message)).toEqual([]);
  expect(pingsIn(message)).toEqual([]);
}

function expectForm(operation: Operation, raw: RawInput): void {
  const forNow = async () => ({ edit: nothing, remove: nothing });
  const reply = {
    tell: nothing,
    tellAll: nothing,
    post: nothing,
    forNow,
    replace: nothing,
    remove: nothing,
  };
  const asking = { asker, origin: { channel: 'C0OPS' }, requestKey: 'key', isClick: false, reply };
  expect(
    checkView(formView(operation, raw, formMetadataOf(operation, raw, asking, isForChannel(operation)))),
  ).toEqual([]);
}

async function nothing(): Promise<void> {}
