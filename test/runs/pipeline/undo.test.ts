import { expect, test } from 'vitest';
import { parseInput } from '../../../src/operations/define/arguments/input.ts';
import { actor, parseRunId, useRunnerFixture } from '../runner-fixture.ts';

const fixture = useRunnerFixture();

test('the card of an undo warns if the target has changed since the change that it undoes', async () => {
  const operation = fixture.withOperations().find('reboot');
  if (!operation) throw new Error('there is no reboot');
  let requests = 0;
  const request = async (undoneState?: string) => {
    requests += 1;
    const reply = await fixture.createRunner().request({
      requestKey: `request-${requests}`,
      operation,
      parsed: parseInput(operation, { vps: 'VPS-10001' }),
      actor,
      origin: { channel: 'C1' },
      undoneState,
    });
    if (reply.kind !== 'confirmation') throw new Error(`no confirmation, but ${reply.kind}`);
    return reply.confirmation;
  };
  const warning = 'The target has changed since the change that this undoes. Check it before you confirm.';
  const first = await request();
  expect(first.notes ?? []).not.toContain(warning);
  const confirmed = (await fixture.runs.find(parseRunId(first.token)))?.confirmedState;
  const state = confirmed?.kind === 'state' ? confirmed.fingerprint : '';
  expect((await request(state)).notes ?? []).not.toContain(warning);
  expect((await request('another state')).notes).toContain(warning);
});
