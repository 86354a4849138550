import { expect, test } from 'vitest';
import { readButtonLabels, runCommand } from './command-driver.ts';
import { type Distort, withFields } from './hostile/distortions.ts';
import { startHostileHarness } from './hostile/hostile-harness.ts';
import { visibleText } from './operations/visible-text.ts';

type Fields = Readonly<Record<string, unknown>>;

/** A service whose records have been changed by `change`. */
function changing(change: (record: Fields) => Fields): Distort {
  const data = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(data);
    if (typeof value !== 'object' || value === null) return value;
    return change(Object.fromEntries(Object.entries(value).map(([field, inner]) => [field, data(inner)])));
  };
  return { ...withFields({}), transform: data };
}

test('a VPS that a customer labeled like another one is shown and changed under its own name', async () => {
  const stage = await startHostileHarness({
    distort: changing(({ vps_name: id, hostname, ...others }) =>
      id === undefined || hostname === undefined
        ? {
            ...(id !== undefined && { vps_name: id }),
            ...(hostname !== undefined && { hostname }),
            ...others,
          }
        : { id, name: id === 'VPS-10001' ? 'VPS-10002' : hostname, ...others },
    ),
  });
  try {
    const list = visibleText((await runCommand(stage, 'list', /^12 VPS$/)).blocks);
    expect(list).toContain('VPS-10001 | ');
    expect(list.match(/VPS-10002\)/g)).toHaveLength(1);
    expect(list).not.toContain('more than once');
    const card = await runCommand(stage, 'reboot VPS-10002', /^Reboot/);
    expect(visibleText(card.blocks)).toContain('Reboot web-02 (VPS-10002)?');
    await stage.expectHarmless();
  } finally {
    await stage.close();
  }
});

test('a change to a name that two servers have is not sent without being asked for', async () => {
  const stage = await startHostileHarness({
    distort: changing(({ vps_name: name, hostname, ...others }) =>
      name === undefined || hostname === undefined
        ? {
            ...(name !== undefined && { vps_name: name }),
            ...(hostname !== undefined && { hostname }),
            ...others,
          }
        : { name: name === 'VPS-10001' ? 'VPS-10002' : name, hostname, ...others },
    ),
  });
  try {
    const list = visibleText((await runCommand(stage, 'list', /^11 VPS$/)).blocks);
    expect(list).toContain('The service lists more than one server as VPS-10002.');
    expect(list).toContain('VPS-10002 | ');
    const reply = await runCommand(stage, 'reboot VPS-10002', /more than one server/);
    expect(readButtonLabels(reply)).toContain('Try Anyway');
    await stage.slack.click(reply, 'Try Anyway');
    const card = await stage.slack.message(/^Reboot VPS-10002\?/);
    expect(readButtonLabels(card)).toContain('Reboot');
    expect(await stage.service.changes()).toEqual([]);
    await stage.expectHarmless();
  } finally {
    await stage.close();
  }
});
