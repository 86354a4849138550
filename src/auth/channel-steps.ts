import { createStepCheck, type IsPermitted } from '../operations/define/access/permitted-steps.ts';
import { includesRight } from '../operations/define/access/right.ts';
import type { Catalogue } from '../operations/define/operation.ts';
import { toDenial } from './denial.ts';
import type { GrantStore } from './grants/grant-store.ts';

/** Finds a channel's limit and returns a check for which buttons it allows, for posts that nobody requested. */
export type FindChannelSteps = (ref: {
  readonly teamId: string;
  readonly channel: string;
}) => Promise<IsPermitted>;

export function createChannelStepCheck(
  grantStore: () => Pick<GrantStore, 'findChannelLimit'>,
  catalogue: () => Catalogue,
): FindChannelSteps {
  return async ({ teamId, channel }) => {
    const maxRight = await grantStore().findChannelLimit(teamId, channel);
    if (maxRight === undefined) return () => true;
    return createStepCheck(catalogue(), (required) =>
      includesRight(maxRight, required.right)
        ? undefined
        : toDenial({ kind: 'channelLimited', maxRight }, required),
    );
  };
}
