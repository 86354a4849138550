import type { types } from '@slack/bolt';
import type { GrantStore } from '../../../auth/grants/grant-store.ts';
import { isVpsName } from '../../../hosting/payloads/vps-name.ts';
import type { LabelVpsFor } from '../../../runs/team-labels.ts';
import { buildAccessView } from './access-views.ts';

/**
 * Builds the overview of a team's rights. `news` is a sentence about a change that was just made.
 */
export type LoadAccessView = (teamId: string, news?: string) => Promise<types.ModalView>;

export function createAccessViewLoader(
  store: Pick<GrantStore, 'listGrants' | 'listChannelLimits'>,
  labelVpsFor: LabelVpsFor,
): LoadAccessView {
  return async (teamId, news) => {
    const [grants, limits] = await Promise.all([store.listGrants(teamId), store.listChannelLimits(teamId)]);
    const namesVps = grants.some(({ pattern }) => isVpsName(pattern));
    const labelVps = namesVps ? await labelVpsFor(teamId) : (text: string) => text;
    return buildAccessView({ grants, limits }, labelVps, news);
  };
}
