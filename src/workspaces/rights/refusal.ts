import type { NextStep } from '../../operations/outcome.ts';
import type { Right } from '../../operations/right.ts';
import type { Need, Refusal } from '../../operations/runs/access.ts';
import type { Decision } from './decision.ts';
import type { Standing } from './directory.ts';
import { everything } from './pattern.ts';

const whoGrants =
  'Owners and admins of this workspace can grant it, and so can whoever has the right “administer”.';

/** Says why somebody may not, and who can help; nothing where they may. */
export function refusalOf(decision: Decision, need: Need): Refusal | undefined {
  switch (decision.kind) {
    case 'allowed':
      return undefined;
    case 'outsider':
      return outside(decision.standing);
    case 'limited':
      return {
        what: `This channel is limited to “${decision.most}”: nobody may ${verbs[need.right]} in it.`,
        next: 'Ask in another channel, or in the app’s Home.',
      };
    case 'unsure':
      return {
        what: 'Slack could not say which groups you are in, so your rights are not known.',
        next: 'Try again in a minute.',
      };
    case 'lacking':
      return {
        what: `You lack the right to ${verbs[need.right]}${scopeOf(need, decision.vps)}.`,
        next: whoGrants,
        steps: [askStep(need, decision.vps)],
      };
  }
}

/** Says why somebody who is no member of the workspace gets nothing at all. */
export function outside(standing: Standing): Refusal {
  if (standing === 'unknown') {
    return { what: 'Slack could not say who you are.', next: 'Try again in a minute.' };
  }
  const next = 'Ask somebody of this workspace to do it for you.';
  return { what: outsiders[standing] ?? outsiders.stranger, next };
}

const outsiders: Partial<Record<Standing, string>> & { readonly stranger: string } = {
  guest: 'Guests of this workspace cannot use Rackhand.',
  deleted: 'Whoever has no account here any more cannot use Rackhand.',
  bot: 'Apps and bots cannot use Rackhand.',
  stranger: 'Only people of this workspace can use Rackhand.',
};

/** What each right is to, in words that go before what it is for. */
export const verbs: Record<Right, string> = {
  look: 'look',
  change: 'change something',
  destroy: 'destroy something',
  administer: 'administer Rackhand',
};

/** What administering is for needs no words: it is for all there is. */
function scopeOf({ right, isForSome }: Need, missing: readonly string[]): string {
  if (right === 'administer') return '';
  if (missing.length > 0) return ` on ${missing.join(', ')}`;
  return isForSome ? ' on any VPS' : ', which is needed for all VPS here';
}

/** What was not named has to be named before it can be asked for. */
function askStep({ right, isForSome }: Need, missing: readonly string[]): NextStep {
  const scope = missing.length > 0 ? missing : isForSome ? undefined : [everything];
  return {
    label: 'Ask for It',
    operation: 'access ask',
    input: { right, ...(scope && { vps: scope.join(' ') }) },
    ...(scope === undefined && { opensForm: true }),
  };
}
