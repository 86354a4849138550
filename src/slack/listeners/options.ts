import type { App, SlackOptions, types } from '@slack/bolt';
import type { Argument } from '../../operations/argument.ts';
import type { Catalogue } from '../../operations/catalogue.ts';
import type { Operation, Read } from '../../operations/operation.ts';
import type { RawInput } from '../../operations/outcome.ts';
import { maySee, needOf } from '../../operations/runs/access.ts';
import type { Asker } from '../../operations/runs/run.ts';
import { unlessLate } from '../../operations/runs/unless-late.ts';
import { carriedValue } from '../../operations/sources/find-choice.ts';
import { fleet } from '../../operations/sources/fleet.ts';
import {
  type Choice,
  choicesAgeMs,
  type Source,
  type SourceReading,
} from '../../operations/sources/source.ts';
import { actionIds, readChooseBlock } from '../actions.ts';
import { argumentAt } from '../form/block-id.ts';
import { readMetadata } from '../form/metadata.ts';
import { withoutNote, withUnread } from '../form/unread.ts';
import { formCallbackId } from '../form/view.ts';
import { limits } from '../render/limits.ts';
import { plain } from '../render/text.ts';
import { stateText } from '../render/value.ts';
import { isRefusedBySlack } from '../slack-error.ts';
import type { ListenerParts } from './parts.ts';

/** Slack waits 3 s for options. */
const answerWithinMs = 2_500;

/** Listens to the selects of what the service has, and fills them with what matches the typed text. */
export function listenToOptions(app: App, { hosting, catalogue, clients, access }: ListenerParts): void {
  app.options(actionIds.remote, async ({ ack, body, options, context: { teamId }, logger }) => {
    const asked = askedFor(options, catalogue);
    if (teamId === undefined || !asked) return ack({ options: [] });
    const asker = { teamId, userId: body.user.id };
    const seen = await unlessLate(seenBy(asker, asked), answerWithinMs).catch(() => undefined);
    if (!seen) return ack({ options: [] });
    const read: Read = (endpoint, input, more) =>
      hosting(teamId).call(endpoint, input, { lane: 'people', ...more });
    const reading = await readInTime(asked, read, teamId).catch((error: unknown) => ({ error }));
    if ('error' in reading) {
      const { error } = reading;
      logger.warn('a select could not be filled', error instanceof Error ? error.message : error);
      await ack({ options: [] });
      return showForm(teamId, options, (view, operation) =>
        withUnread(view, options.block_id, operation, error),
      );
    }
    const wanted = options.value.trim().toLowerCase();
    await ack(
      offered(reading.choices.filter((choice) => seen(choice) && searchText(choice).includes(wanted))),
    );
    await showForm(teamId, options, (view) => withoutNote(view, options.block_id));
  });

  /** Tells which choices somebody may see: those of an operation that they may run, and of VPS those that they may look at. */
  async function seenBy(
    asker: Asker,
    { operation, source, given }: Asked,
  ): Promise<((choice: Choice) => boolean) | undefined> {
    const reach = await access(asker, {});
    const need = needOf(operation, given);
    if (need && reach(need)) return undefined;
    return ({ value }) => source !== fleet || maySee(reach, value);
  }

  /** Changes the form that a select stands in. One that is changed otherwise just now, or has been closed, is left alone. */
  async function showForm(
    teamId: string,
    { view }: SlackOptions,
    change: (view: FormOf, operation: Operation) => types.ModalView | undefined,
  ): Promise<void> {
    if (view?.callback_id !== formCallbackId) return;
    const operation = catalogue.find(readMetadata(view.private_metadata).operation);
    const changed = operation && change(view, operation);
    if (!changed) return;
    const client = await clients(teamId);
    try {
      await client.views.update({ view_id: view.id, hash: view.hash, view: changed });
    } catch (error) {
      if (!isRefusedBySlack(error)) throw error;
    }
  }
}

type FormOf = Parameters<typeof withUnread>[0];

interface Asked {
  readonly operation: Operation;
  readonly source: Source;
  /** What has been chosen already, on which the choices may depend. */
  readonly given: RawInput;
}

/** Tells what the choices of a select are, in a form or in a message. */
function askedFor({ view, block_id: blockId }: SlackOptions, catalogue: Catalogue): Asked | undefined {
  const next = readChooseBlock(blockId);
  if (next) {
    const operation = catalogue.find(next.operation);
    return asked(operation, operation?.arguments[next.argument], next.input);
  }
  if (view?.callback_id !== formCallbackId) return undefined;
  const { operation: name, parents } = readMetadata(view.private_metadata);
  const operation = catalogue.find(name);
  return asked(operation, argumentAt(operation?.arguments ?? {}, blockId), parents);
}

function asked(
  operation: Operation | undefined,
  argument: Argument | undefined,
  given: RawInput,
): Asked | undefined {
  if (!operation || argument?.control.kind !== 'remote') return undefined;
  return { operation, source: argument.control.source, given };
}

/** Reads the choices, or gives up in time; what the service answers later fills the next request. */
async function readInTime({ source, given }: Asked, read: Read, teamId: string): Promise<SourceReading> {
  return unlessLate(source.load(read, given, choicesAgeMs, teamId), answerWithinMs);
}

function searchText({ value, text, aliases = [], hint = '', state = '' }: Choice): string {
  return [value, text, ...aliases, hint, state].join(' ').toLowerCase();
}

/** Offers what matches. Of more than a select can hold its heading says how many there are, and what to do. */
function offered(
  matching: readonly Choice[],
):
  | { options: types.PlainTextOption[] }
  | { option_groups: { label: types.PlainTextElement; options: types.PlainTextOption[] }[] } {
  const options = matching.slice(0, limits.options).map(optionOf);
  if (matching.length <= limits.options) return { options };
  const words = `${limits.options} of ${matching.length}: type to find the others`;
  return { option_groups: [{ label: plain(words, limits.optionChars), options }] };
}

function optionOf({ value, text, state, hint }: Choice): types.PlainTextOption {
  return {
    text: plain((state ? `${text}  ${stateText(state)}` : text) || value, limits.optionChars),
    value: carriedValue(value),
    ...(hint && { description: plain(hint, limits.optionChars) }),
  };
}
