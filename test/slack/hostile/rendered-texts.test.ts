import { findMentions, validateMessage, validateView } from 'slack-sandbox';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createIdleApp } from '../../../scripts/load-full-catalogue.ts';
import type { RackhandApp } from '../../../src/app.ts';
import { RackhandError } from '../../../src/errors.ts';
import { contract } from '../../../src/hosting/endpoints/contract.ts';
import type { Endpoint } from '../../../src/hosting/endpoints/endpoint.ts';
import { type ParsedInput, parseInput } from '../../../src/operations/define/arguments/input.ts';
import type { RawInput } from '../../../src/operations/define/arguments/raw-input.ts';
import { findWarning, isPublicByDefault } from '../../../src/operations/define/inspect-operation.ts';
import type { Operation } from '../../../src/operations/define/operation.ts';
import type { Outcome } from '../../../src/operations/define/outcome.ts';
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
import { createRunMessageRenderer } from '../../../src/slack/messages/run-message-renderer.ts';
import { buildFormView } from '../../../src/slack/modals/form/form-view.ts';
import { createFormMetadata } from '../../../src/slack/modals/form/forms.ts';
import { createContext, createStubRead, type StubResponses } from '../../operations/operation-harness.ts';
import { createRun } from '../../runs/create-run.ts';
import { noSecrets } from '../../runs/no-secrets.ts';
import { allCases } from '../operations/cases/all-cases.ts';
import { silentInvocation } from '../silent-invocation.ts';
import { allOperations, hostileValues, listHostileFields } from './hostile-commands.ts';
import { hostileServices, secret } from './hostile-payloads.ts';

/** What the service answers to a change, before it is distorted. */
const changed = {
  vps_name: 'VPS-10005',
  status: 'accepted',
  id: 7,
  items: [{ name: 'a' }],
  message: 'Fine.',
};

interface HostileAnswers {
  readonly reads: StubResponses;
  readonly change: unknown;
}

type ServiceName = keyof typeof hostileServices;

/** The answers of each hostile service. */
const services = new Map<string, HostileAnswers>();

const pinging: ServiceName = 'names that would ping, with markup, and secrets in odd places';

let app: RackhandApp;
beforeAll(async () => {
  app = await createIdleApp();
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
  for (const [name, { transform, extend }] of Object.entries(hostileServices)) {
    const distorted = answers.map(
      ([endpoint, data]) => [endpoint, endpoint.path === '/v1' ? extend(data) : transform(data)] as const,
    );
    services.set(name, { reads: new Map<Endpoint, unknown>(distorted), change: transform(changed) });
  }
});
afterAll(() => app.stop());

function answersOf(service: string): HostileAnswers {
  const answers = services.get(service);
  if (!answers) throw new Error(`there is no service with ${service}`);
  return answers;
}

test.each(Object.keys(hostileServices))(
  'every operation has a reply that Slack accepts, that mentions nobody and keeps secrets: %s',
  async (service) => {
    const directory = { findDisplayName: async () => 'alice' };
    const { renderRun } = createRunMessageRenderer(app.catalogue, directory, noSecrets, {
      find: async () => undefined,
    });
    for (const { command } of Object.values(allCases).flat()) {
      const { reads, change } = answersOf(service);
      await expectSaid(command, reads);
      const parsed = parseCommand(command, app.catalogue);
      if (parsed.kind !== 'run' || parsed.operation.kind !== 'change') continue;
      const input = parseInput(parsed.operation, parsed.raw);
      if (input.kind !== 'valid') throw new Error(`${command} is incomplete`);
      const { secrets: _, ...outcome } = parsed.operation.outcome(change, input.input, {});
      expectTaken(render(outcome));
      const { name: operation } = parsed.operation;
      const run = createRun({
        ...{ operation, input: parsed.raw, title: parsed.operation.title(input.input) },
        result: { kind: 'outcome', outcome },
      });
      const message = await renderRun(run);
      if (message) expectTaken(message);
    }
  },
);

test("a hostile value in any argument of any operation gets such a message too, in Rackhand's own words", async () => {
  const said: string[] = [];
  for (const command of listHostileFields(allOperations, hostileValues)) {
    const message = await expectSaid(command, answersOf(pinging).reads);
    if (message) said.push(message.text);
  }
  // The validator's own words, which name types instead of arguments.
  const foreign = /Too (big|small)|Invalid (input|string|option)|expected /;
  expect(said.filter((text) => foreign.test(text))).toEqual([]);
  // Each word of a list has the same problem.
  expect(said.filter((text) => text.split('A pattern is a VPS name').length > 2)).toEqual([]);
});

/** Expects that Slack accepts the reply to a typed text, and returns it unless it is a form. */
async function expectSaid(text: string, answers: StubResponses): Promise<Message | undefined> {
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
  answers: StubResponses,
): Promise<Message> {
  const context = createContext(createStubRead(answers));
  try {
    if (parsedInput.kind === 'invalid') return renderProblem(toFieldsProblem(parsedInput.problems));
    const checked = await resolveInput(operation, parsedInput, context);
    if (checked.kind === 'invalid') return renderProblem(checked.problem);
    const { input } = checked.parsed;
    if (operation.kind === 'read') return render(await operation.run(context, input));
    if (operation.kind !== 'change') return refusal(operation.summary);
    const present = await operation.readTargetState?.(context, input);
    const warning = findWarning(operation, input, { facts: present?.facts ?? [], nowMs: 0 });
    return renderConfirmation({
      token: 'token',
      title: operation.title(input),
      button: operation.button,
      facts: present?.facts ?? [],
      effect: 'destroy',
      hasTargetChanged: true,
      ...(warning !== undefined && { warning }),
      ...(operation.confirmation?.textToType && { textToType: operation.confirmation.textToType(input) }),
    });
  } catch (error) {
    // A crash is not a rejection, so it must fail the test.
    if (!(error instanceof RackhandError) && !String(error).includes('no quota here')) throw error;
    return renderProblem(toProblem(error, { isChanging: false }));
  }
}

/** Renders an outcome without its secrets, which Show Once keeps. */
function render({ secrets: _, ...outcome }: Outcome): Message {
  return renderOutcome(outcome, { runId: 'run' });
}

function refusal(words: string): Message {
  return renderProblem(toProblem(new RackhandError('input_invalid', words), { isChanging: false }));
}

function expectTaken(message: Message): Message {
  expect(validateMessage(message)).toEqual([]);
  expect(findMentions(message)).toEqual([]);
  expect(JSON.stringify(message)).not.toContain(secret);
  return message;
}

function expectForm(operation: Operation, raw: RawInput): undefined {
  const metadata = createFormMetadata(operation, raw, silentInvocation, isPublicByDefault(operation));
  expect(validateView(buildFormView(operation, raw, metadata))).toEqual([]);
}
