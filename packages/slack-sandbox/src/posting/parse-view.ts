import { validateView } from '../block-kit/validation/validate.ts';
import { getString, isObject, type JsonObject } from '../json.ts';
import { toStoredTexts } from '../mrkdwn/stored-text.ts';
import { assertNoProblems, SlackError } from '../web-api/slack-error.ts';
import type { StoredView } from '../workspace/view-store.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { validateImageUrls } from './validate-image-urls.ts';
import { validateSlackFiles } from './validate-slack-files.ts';

/**
 * Validates a view from an argument or acknowledgement. Throws Slack's error if it is invalid.
 * `replaced` is the view that it replaces. It can have the same `external_id`.
 */
export function parseView(
  given: unknown,
  type: StoredView['type'],
  workspace: Workspace,
  replaced?: StoredView,
): JsonObject {
  assertNoProblems(
    [
      ...validateView(given),
      ...validateSlackFiles(workspace, given, '/view'),
      ...validateImageUrls(workspace, given, '/view'),
    ],
    'invalid_arguments',
  );
  if (!isObject(given)) throw new SlackError('invalid_arguments');
  if (given.type !== type) {
    assertNoProblems([{ pointer: '/view/type', message: `must be \`${type}\`` }], 'invalid_arguments');
  }
  const externalId = getString(given, 'external_id');
  const taken = externalId ? workspace.views.findByExternalId(externalId) : undefined;
  if (taken && taken !== replaced) throw new SlackError('duplicate_external_id');
  return toStoredTexts(given);
}
