import { z } from 'zod';
import { isObject } from '../../../json.ts';
import { flag, jsonArgument, nonEmptyString } from '../../arguments.ts';
import { defineMethod } from '../../method.ts';
import { SlackError } from '../../slack-error.ts';

/** Shows the details of a work object to the person who opened it. */
export const entityPresentDetails = defineMethod({
  name: 'entity.presentDetails',
  tier: 3,
  args: () =>
    z.object({
      trigger_id: nonEmptyString,
      metadata: jsonArgument(z.unknown()).optional(),
      user_auth_required: flag.default(false),
      user_auth_url: nonEmptyString.optional(),
      error: jsonArgument(z.unknown()).optional(),
    }),
  run({ trigger_id, metadata, user_auth_required, user_auth_url, error }, core, workspace) {
    const opened = workspace.openedEntities.get(trigger_id);
    const trigger = core.triggers.find(trigger_id);
    if (!opened || !trigger || trigger.expiresMs <= core.clock.now())
      throw new SlackError('invalid_trigger_id');
    if (user_auth_required && user_auth_url === undefined) throw new SlackError('user_auth_url_missing');
    const hasContent =
      isObject(metadata) && isObject(metadata.external_ref) && isObject(metadata.entity_payload);
    if (!hasContent && !user_auth_required && !isObject(error)) throw new SlackError('invalid_metadata');
    if (
      isObject(metadata) &&
      isObject(metadata.external_ref) &&
      metadata.external_ref.id !== opened.entityId
    ) {
      throw new SlackError('entity_metadata_does_not_match_trigger');
    }
    opened.details = {
      ...(isObject(metadata) && { metadata }),
      ...(user_auth_required && { user_auth_required, user_auth_url }),
      ...(isObject(error) && { error }),
    };
    core.changes.publish({ kind: 'entity', team: workspace.team.id, user: opened.user });
    return {};
  },
});
