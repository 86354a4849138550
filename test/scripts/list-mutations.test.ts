import { expect, test } from 'vitest';
import { listMutations } from '../../scripts/list-mutations.ts';

test('mutations change conditions, comparisons, calls, returns and queries', () => {
  const source = `
    export async function release(count: number | undefined): Promise<boolean | number> {
      if (count === 0) throw new Error('none');
      await update().where('owner', '=', 1);
      if (count) return count;
      return true;
    }`;
  const changed = listMutations(source).map(
    ({ kind, start, end, replacement }) => `${kind}: ${source.slice(start, end)} -> ${replacement}`,
  );
  expect(changed).toEqual([
    'negated condition: count === 0 -> !(count === 0)',
    'swapped operator: count === 0 -> (count) !== (0)',
    "dropped throw: throw new Error('none'); -> ;",
    "dropped call: await update().where('owner', '=', 1); -> ;",
    "dropped where: update().where('owner', '=', 1) -> update()",
    'negated condition: count -> !(count)',
    'early return: return count; -> return undefined as never;',
    'negated value: true -> false',
  ]);
});
