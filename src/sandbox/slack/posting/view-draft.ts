import { checkView } from '../block-kit/check.ts';
import { isObject, type JsonObject, textAt } from '../json.ts';
import { refuseIf, SlackError } from '../web-api/slack-error.ts';
import type { ShownView } from '../world/views.ts';
import type { Workspace } from '../world/workspace.ts';
import { checkSlackFiles } from './slack-files.ts';

/**
 * Checks a view that the app gives, as an argument or in an acknowledgement; throws what Slack answers to bad ones.
 * `replaced` is the view that it takes the place of, whose `external_id` it may keep.
 */
export function readView(
  given: unknown,
  type: ShownView['type'],
  workspace: Workspace,
  replaced?: ShownView,
): JsonObject {
  refuseIf([...checkView(given), ...checkSlackFiles(workspace, given, '/view')], 'invalid_arguments');
  if (!isObject(given)) throw new SlackError('invalid_arguments');
  if (given.type !== type) {
    refuseIf([{ pointer: '/view/type', message: `must be \`${type}\`` }], 'invalid_arguments');
  }
  const externalId = textAt(given, 'external_id');
  const taken = externalId ? workspace.views.byExternalId(externalId) : undefined;
  if (taken && taken !== replaced) throw new SlackError('duplicate_external_id');
  return given;
}
