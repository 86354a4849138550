import fc from 'fast-check';
import { findMentions, validateMessage, validateView } from 'slack-sandbox';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createIdleApp } from '../../../scripts/load-full-catalogue.ts';
import type { RackhandApp } from '../../../src/app.ts';
import { RackhandError } from '../../../src/errors.ts';
import { contract } from '../../../src/hosting/endpoints/contract.ts';
import type { Endpoint } from '../../../src/hosting/endpoints/endpoint.ts';
import { type ParsedInput, parseInput } from '../../../src/operations/define/arguments/input.ts';
import type { RawInput } from '../../../src/operations/define/arguments/raw-input.ts';
import { isPublicByDefault } from '../../../src/operations/define/inspect-operation.ts';
import type { Operation } from '../../../src/operations/define/operation.ts';
import { parseCommand } from '../../../src/operations/grammar/parse-command.ts';
import { toFieldsProblem } from '../../../src/runs/pipeline/names/name-problems.ts';
import { resolveInput } from '../../../src/runs/pipeline/names/resolve-input.ts';
import { toProblem } from '../../../src/runs/problem.ts';
import { createHostingSandbox } from '../../../src/sandbox/hosting/sandbox.ts';
import { renderConfirmation } from '../../../src/slack/blocks/confirmation.ts';
import type { Message } from '../../../src/slack/blocks/message.ts';
import { renderOutcome } from '../../../src/slack/blocks/outcome.ts';
import { renderProblem } from '../../../src/slack/blocks/problem.ts';
import { decodeSlackText } from '../../../src/slack/listeners/invocation/decode-slack-text.ts';
import { buildFormView } from '../../../src/slack/modals/form/form-view.ts';
import { createFormMetadata } from '../../../src/slack/modals/form/forms.ts';
import { createContext, createStubRead } from '../../operations/operation-harness.ts';
import { hostileCommand } from './hostile-commands.ts';
import { hostileTexts } from './hostile-payloads.ts';

const actor = { teamId: 'T0ACME', userId: 'U0ALICE' };

/** Responses of services that put mentions into every text, or no text at all. */
let services: readonly ReadonlyMap<Endpoint, unknown>[];

let app: RackhandApp;
beforeAll(async () => {
  app = await createIdleApp();
});
afterAll(() => app.stop());

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
        endpoint.path === '/v1' ? distort?.extend(data) : distort?.transform(data),
      ]),
    );
  });
});

test('each of 10,000 typed texts gets a message or form that Slack accepts and that mentions nobody', async () => {
  await fc.assert(
    fc.asyncProperty(hostileCommand, fc.nat({ max: 1 }), async (text, service) => {
      await expectSaid(text, services[service] ?? new Map());
    }),
    { numRuns: 10_000, endOnFailure: true },
  );
});

async function expectSaid(text: string, answers: ReadonlyMap<Endpoint, unknown>): Promise<void> {
  const parsed = parseCommand(decodeSlackText(text), app.catalogue);
  if (parsed.kind === 'malformed') return expectTaken(refusal(parsed.message));
  if (parsed.kind === 'unknown') {
    const { suggestion } = parsed;
    return expectTaken(
      refusal(`There's no command named "${parsed.typed}". Did you mean "${suggestion?.text}"?`),
    );
  }
  const { operation, raw } = parsed;
  const parsedInput = parseInput(operation, raw);
  if (parsedInput.kind === 'invalid' && parsedInput.isIncomplete) return expectForm(operation, raw);
  return expectTaken(await answer(operation, parsedInput, answers));
}

/** Replies like the runner, up to a change's confirmation. */
async function answer(
  operation: Operation,
  parsedInput: ParsedInput,
  answers: ReadonlyMap<Endpoint, unknown>,
): Promise<Message> {
  const context = createContext(createStubRead(answers));
  try {
    if (parsedInput.kind === 'invalid') return renderProblem(toFieldsProblem(parsedInput.problems));
    const checked = await resolveInput(operation, parsedInput, context);
    if (checked.kind === 'invalid') return renderProblem(checked.problem);
    const { input } = checked.parsed;
    if (operation.kind === 'read')
      return renderOutcome(await operation.run(context, input), { runId: 'run' });
    if (operation.kind !== 'change') return refusal(operation.summary);
    const present = await operation.readTargetState?.(context, input);
    return renderConfirmation({
      token: 'token',
      title: operation.title(input),
      button: operation.button,
      facts: present?.facts ?? [],
      effect: 'destroy',
      hasTargetChanged: true,
      ...(operation.warning !== undefined && { warning: operation.warning }),
      ...(operation.typedToConfirm && { textToType: operation.typedToConfirm(input) }),
    });
  } catch (error) {
    // A crash is not a rejection, so it must fail the test.
    if (!(error instanceof RackhandError) && !String(error).includes('no quota here')) throw error;
    return renderProblem(toProblem(error, { isChanging: false }));
  }
}

function refusal(words: string): Message {
  return renderProblem(toProblem(new RackhandError('input_invalid', words), { isChanging: false }));
}

function expectTaken(message: Message): void {
  expect(validateMessage(message)).toEqual([]);
  expect(findMentions(message)).toEqual([]);
}

function expectForm(operation: Operation, raw: RawInput): void {
  const postStatus = async () => ({ edit: nothing, remove: nothing });
  const reply = {
    sendToActor: nothing,
    sendToChannel: nothing,
    post: nothing,
    postStatus,
    showWorking: async () => nothing,
    replace: nothing,
    remove: nothing,
  };
  const asking = { actor, origin: { channel: 'C0OPS' }, requestKey: 'key', isClick: false, reply };
  expect(
    validateView(
      buildFormView(operation, raw, createFormMetadata(operation, raw, asking, isPublicByDefault(operation))),
    ),
  ).toEqual([]);
}

async function nothing(): Promise<void> {}
