import type { App, SlackOptions, types } from '@slack/bolt';
import { normalizeVpsName } from '../../../hosting/payloads/vps-name.ts';
import { toSelectValue } from '../../../operations/choices/matching/match-choices.ts';
import { rankChoices } from '../../../operations/choices/matching/rank-choices.ts';
import {
  findUnlistedName,
  formatUnlistedOption,
  toUnlistedSelectValue,
} from '../../../operations/choices/matching/unlisted-choice.ts';
import { vpsChoices } from '../../../operations/choices/sources/vps.ts';
import { canViewVps } from '../../../operations/define/access/access.ts';
import type { Actor } from '../../../operations/define/access/actor.ts';
import { findRequiredAccess } from '../../../operations/define/access/required-access.ts';
import type { Argument } from '../../../operations/define/arguments/argument.ts';
import {
  type Choice,
  type ChoiceList,
  type ChoiceSource,
  type ChoiceWorkspace,
  maxChoicesAgeMs,
} from '../../../operations/define/arguments/choice-source.ts';
import { parseInput } from '../../../operations/define/arguments/input.ts';
import type { RawInput } from '../../../operations/define/arguments/raw-input.ts';
import type { Catalogue, Operation } from '../../../operations/define/operation.ts';
import type { Read } from '../../../operations/define/read.ts';
import { withTimeout } from '../../../with-timeout.ts';
import { actionIds } from '../../blocks/elements/action-ids.ts';
import { parseChooseBlockId } from '../../blocks/elements/buttons.ts';
import { limits } from '../../blocks/elements/limits.ts';
import { plainText } from '../../blocks/elements/text.ts';
import { formatState } from '../../blocks/elements/value.ts';
import { isSlackPlatformError } from '../../client/slack-errors.ts';
import { findArgument } from '../../modals/form/block-id.ts';
import { parseFormMetadata } from '../../modals/form/form-metadata.ts';
import { formCallbackId } from '../../modals/form/form-view.ts';
import { withLoadError, withoutLoadError } from '../../modals/form/select-load-error.ts';
import type { ListenerDependencies } from '../listener-dependencies.ts';
import { findUnlistedVps } from './find-unlisted-vps.ts';

const optionsTimeoutMs = 2_500;

/** How long a select waits for pages after the first. Reading continues for the select's next request. */
const pagesTimeoutMs = 1_000;

/** Fills the selects whose options come from the service. Only options that match the typed text are returned. */
export function listenToSelectOptions(
  app: App,
  { hosting, catalogue, clients, access, listVpsAliases }: ListenerDependencies,
): void {
  app.options(actionIds.remoteSelect, async ({ ack, body, options, context: { teamId }, logger }) => {
    const request = parseOptionsRequest(options, catalogue);
    if (teamId === undefined || !request) return ack({ options: [] });
    const actor = { teamId, userId: body.user.id };
    const isVisible = await withTimeout(createVisibilityFilter(actor, request), optionsTimeoutMs).catch(
      () => undefined,
    );
    if (!isVisible) return ack({ options: [] });
    const read: Read = (endpoint, input, more) =>
      hosting(teamId).call(endpoint, input, {
        lane: 'people',
        caller: actor.userId,
        pagesTimeoutMs,
        ...more,
      });
    const workspace = {
      teamId,
      listVpsAliases: () => listVpsAliases(teamId),
      viewer: { actor, loadAccess: () => access(actor, {}) },
    };
    const typed = options.value.trim();
    const loaded = await loadChoices(request, typed, isVisible, read, workspace).then(
      (list) => ({ kind: 'loaded' as const, list }),
      (error: unknown) => ({ kind: 'failed' as const, error }),
    );
    if (loaded.kind === 'failed') {
      const { error } = loaded;
      logger.warn('a select could not be filled', error instanceof Error ? error.message : error);
      await ack({ options: [] });
      const canType = !request.choiceSource.isOwnData;
      return updateForm(teamId, options, (view) => withLoadError(view, options.block_id, error, canType));
    }
    await ack(toOptionsResponse(loaded.list));
    await updateForm(teamId, options, (view) => withoutLoadError(view, options.block_id));
  });

  /**
   * Returns a filter for the choices that the actor is allowed to see, or undefined if they can't run the
   * operation. VPS are limited to the ones they can view.
   */
  async function createVisibilityFilter(
    actor: Actor,
    { operation, choiceSource, values }: OptionsRequest,
  ): Promise<((choice: Choice) => boolean) | undefined> {
    const checkAccess = await access(actor, {});
    const required = findRequiredAccess(operation, parseInput(operation, values));
    if (required && checkAccess(required)) return undefined;
    return ({ value }) => choiceSource !== vpsChoices || canViewVps(checkAccess, value);
  }

  /** Updates a select's form. Does nothing if the form has since changed or was closed. */
  async function updateForm(
    teamId: string,
    { view }: SlackOptions,
    change: (view: FormView) => types.ModalView | undefined,
  ): Promise<void> {
    const changed = view?.callback_id === formCallbackId ? change(view) : undefined;
    if (!view || !changed) return;
    const client = await clients(teamId);
    try {
      await client.views.update({ view_id: view.id, hash: view.hash, view: changed });
    } catch (error) {
      if (!isSlackPlatformError(error)) throw error;
    }
  }
}

type FormView = Parameters<typeof withLoadError>[0];

interface OptionsRequest {
  readonly operation: Operation;
  readonly argument: Argument;
  readonly choiceSource: ChoiceSource;
  /** Values that the choices depend on. */
  readonly values: RawInput;
}

/** Returns the operation and argument that a select in a form or message needs choices for. */
function parseOptionsRequest(
  { view, block_id: blockId }: SlackOptions,
  catalogue: Catalogue,
): OptionsRequest | undefined {
  const chooseStep = parseChooseBlockId(blockId);
  if (chooseStep) {
    const operation = catalogue.find(chooseStep.operation);
    return toOptionsRequest(operation, operation?.arguments[chooseStep.argument], chooseStep.input);
  }
  if (view?.callback_id !== formCallbackId) return undefined;
  const { operation: name, parentValues } = parseFormMetadata(view.private_metadata);
  const operation = catalogue.find(name);
  return toOptionsRequest(operation, findArgument(operation?.arguments ?? {}, blockId), parentValues);
}

function toOptionsRequest(
  operation: Operation | undefined,
  argument: Argument | undefined,
  values: RawInput,
): OptionsRequest | undefined {
  if (!operation || argument?.control.kind !== 'remote') return undefined;
  return { operation, argument, choiceSource: argument.control.source, values };
}

interface OfferedChoices extends ChoiceList {
  /** The typed name, if the list doesn't contain it but the service may know it. */
  readonly unlistedName?: string;
}

/** Loads the choices within the time limit. A late response fills the cache for the next request. */
async function loadChoices(
  { argument, choiceSource, values }: OptionsRequest,
  typed: string,
  isVisible: (choice: Choice) => boolean,
  read: Read,
  workspace: ChoiceWorkspace,
): Promise<OfferedChoices> {
  const deadlineMs = Date.now() + optionsTimeoutMs;
  let listError: unknown;
  const list = await withTimeout(
    choiceSource.load(read, values, maxChoicesAgeMs, workspace),
    optionsTimeoutMs,
  ).catch((error: unknown): ChoiceList => {
    // Even if the list can't be read, the typed text can be looked up.
    listError = error;
    return { choices: [], isComplete: false };
  });
  const choices = rankChoices(typed, list.choices.filter(isVisible));
  const canBeUnlisted =
    choiceSource === vpsChoices && isVisible({ value: normalizeVpsName(typed), text: typed });
  const unlisted = canBeUnlisted
    ? await withTimeout(
        findUnlistedVps(typed, list, read),
        Math.max(0, deadlineMs - Date.now()),
        () => undefined,
      )
    : undefined;
  const name = unlisted ? undefined : findUnlistedName(typed, argument, choiceSource, list);
  if (listError !== undefined && !unlisted && name === undefined) throw listError;
  return {
    choices: unlisted ? [unlisted, ...choices] : choices,
    isComplete: list.isComplete,
    ...(name !== undefined && isVisible({ value: name, text: name }) && { unlistedName: name }),
  };
}

/** Returns the matching options. If there are too many, or the list may be incomplete, the group label says so. */
function toOptionsResponse({
  choices: matching,
  isComplete,
  unlistedName,
}: OfferedChoices): { options: types.PlainTextOption[] } | { option_groups: OptionGroup[] } {
  const options = matching.slice(0, limits.options).map(toOption);
  const hasTooMany = matching.length > limits.options;
  const isPartial = options.length > 0 && (!isComplete || hasTooMany);
  if (!isPartial && unlistedName === undefined) return { options };
  const label = hasTooMany
    ? `${limits.options} of ${matching.length}${isComplete ? '' : ' read so far'}: type to find more`
    : isPartial
      ? 'There may be more than these'
      : 'In the list';
  return {
    option_groups: [
      ...(options.length > 0 ? [{ label: plainText(label, limits.optionChars), options }] : []),
      ...(unlistedName === undefined ? [] : [unlistedGroup(unlistedName)]),
    ],
  };
}

interface OptionGroup {
  readonly label: types.PlainTextElement;
  readonly options: types.PlainTextOption[];
}

/** Returns a group with a single option, for a name that the list doesn't contain. */
function unlistedGroup(name: string): OptionGroup {
  const option = {
    text: plainText(formatUnlistedOption(name), limits.optionChars),
    value: toUnlistedSelectValue(name),
    description: plainText("You'll be asked to confirm it before it's sent.", limits.optionChars),
  };
  return { label: plainText('Not in the list', limits.optionChars), options: [option] };
}

function toOption({ value, text, state, hint }: Choice): types.PlainTextOption {
  return {
    text: plainText((state ? `${text}  ${formatState(state)}` : text) || value, limits.optionChars),
    value: toSelectValue(value),
    ...(hint && { description: plainText(hint, limits.optionChars) }),
  };
}
