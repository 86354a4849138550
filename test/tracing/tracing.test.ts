import { afterAll, beforeAll, expect, test } from 'vitest';
import { waitForEnd } from '../slack/wait-for-end.ts';
import { type RunningStack, startStack } from '../stack.ts';
import { type ReceivedSpan, startOtlpReceiver } from './otlp-receiver.ts';

let receiver: Awaited<ReturnType<typeof startOtlpReceiver>>;
let stack: RunningStack;

beforeAll(async () => {
  receiver = await startOtlpReceiver();
  stack = await startStack({ otlpEndpoint: receiver.url, followsSlackClock: true });
});
afterAll(async () => {
  await stack.close();
  await receiver.close();
});

/** Waits until the spans of a name have arrived, and returns the last one. */
async function untilSpan(name: string, isWanted = (_: ReceivedSpan) => true): Promise<ReceivedSpan> {
  const find = () => receiver.spans().findLast((span) => span.name === name && isWanted(span));
  await expect.poll(find).toBeDefined();
  return find() as ReceivedSpan;
}

/** Returns the names of a span and of its parents, outermost first. */
function pathOf(span: ReceivedSpan): string[] {
  const parent = receiver.spans().find(({ spanId }) => spanId === span.parentSpanId);
  return [...(parent ? pathOf(parent) : []), span.name];
}

const attributesOf = ({ attributes }: ReceivedSpan) =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, value.stringValue ?? value.intValue]));

test('the traces of a confirmed change lead from the envelope over steps and quota to the call', async () => {
  const { slack } = stack;
  await slack.slash('reboot VPS-10001');
  await slack.click(await slack.message('Reboot web-01 (VPS-10001)?'), 'confirm');
  await waitForEnd(stack, 'Reboot web-01 (VPS-10001)');

  const call = await untilSpan('POST /v1/vps/{vps_name}/action');
  const confirm = ['slack block_actions', 'confirm run', 'execute run'];
  expect(pathOf(call)).toEqual([...confirm, 'send', call.name]);
  expect(attributesOf(call)).toEqual({
    'http.request.method': 'POST',
    'url.template': '/v1/vps/{vps_name}/action',
    'http.response.status_code': 200,
  });
  const inTrace = (span: ReceivedSpan) => span.traceId === call.traceId;
  const wait = await untilSpan('wait for quota', (span) => span.parentSpanId === call.parentSpanId);
  expect(attributesOf(wait)).toEqual({ 'rackhand.lane': 'people' });
  const executed = await untilSpan('execute run', inTrace);
  expect(attributesOf(executed)).toEqual({
    'rackhand.run_id': expect.any(String),
    'rackhand.operation': 'reboot',
    'slack.team_id': 'T0ACME',
  });
  expect(pathOf(await untilSpan('settleDone', inTrace))).toEqual([...confirm, 'settleDone']);

  // The command is a trace of its own. Both have the same run.
  const prepared = await untilSpan('prepare run');
  expect(prepared.traceId).not.toBe(call.traceId);
  expect(attributesOf(prepared)).toMatchObject({
    'rackhand.run_id': attributesOf(executed)['rackhand.run_id'],
  });
  expect(pathOf(await untilSpan('askToConfirm'))).toEqual(['slack command', 'prepare run', 'askToConfirm']);
  const ofCommand = ({ traceId }: ReceivedSpan) => traceId === prepared.traceId;
  const card = await untilSpan('slack response_url', ofCommand);
  expect(attributesOf(card)).toEqual({ 'http.response.status_code': 200 });
});

test('traces contain no tokens, keys, response URLs, names or texts', async () => {
  const { slack } = stack;
  await slack.slash('password reset VPS-10001');
  await slack.click(await slack.message(/VPS-10001\)\?/), 'confirm');
  await untilSpan('execute run', (span) => attributesOf(span)['rackhand.operation'] === 'password reset');
  const text = receiver.text();
  for (const secret of [
    'xoxb-',
    'xapp-',
    'sandbox-key',
    'hooks.slack',
    '/commands/',
    'VPS-10001',
    'web-01',
    'U0ALICE',
  ]) {
    expect(text, secret).not.toContain(secret);
  }
});
