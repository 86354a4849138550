import { useMemo } from 'react';
import type { Kept, SuggestAnswer, Surface } from './block-kit/surface.ts';
import { type Session, useSession } from './session.ts';
import type { Block, MessageFacts, Reaction, ViewFacts } from './wire.ts';
import { explain } from './words.ts';

/** What stands in a view's inputs and the server does not know yet. */
export interface Keeper {
  keep(blockId: string, actionId: string, kept: Kept): void;
  /** Tells the server, as far as it may know before the submit. */
  flush(): Promise<void>;
  /** What was typed in the inputs that these blocks still have, as `state.values`. */
  values(blocks: readonly Block[]): Record<string, Record<string, unknown>>;
}

const nothing: Readonly<Record<string, never>> = {};

/** Gives the surface of a message's blocks. */
export function useMessageSurface(channel: string, { ts, state }: MessageFacts): Surface {
  const session = useSession();
  const values = state?.values ?? nothing;
  return useMemo(
    () => ({
      kind: 'message',
      values,
      errors: nothing,
      ...common(session, { channel, ts }),
      keep: () => {},
    }),
    [session, channel, ts, values],
  );
}

/** Gives the surface of a view's blocks. */
export function useViewSurface(
  { id, type, blocks, state }: ViewFacts,
  keeper: Keeper,
  errors: Readonly<Record<string, string>>,
): Surface {
  const session = useSession();
  return useMemo(() => {
    const { act, ...rest } = common(session, { view: id });
    return {
      kind: type,
      // What was typed before another view came on top, and the server may not know.
      values: { ...state.values, ...keeper.values(blocks) },
      errors,
      ...rest,
      act: async (...press) => {
        // The app is told all that stands in the form.
        await keeper.flush();
        await act(...press);
      },
      keep: keeper.keep,
    };
  }, [session, id, type, blocks, state, keeper, errors]);
}

/** Collects what is typed in a view. */
export function createKeeper({ control, me }: Session, view: string): Keeper {
  const all = new Map<string, { blockId: string; actionId: string; kept: Kept }>();
  const untold = new Set<string>();
  return {
    keep(blockId, actionId, kept) {
      const key = `${blockId} ${actionId}`;
      all.set(key, { blockId, actionId, kept });
      if (!kept.isForSubmitOnly) untold.add(key);
    },
    async flush() {
      const keys = [...untold];
      untold.clear();
      for (const key of keys) {
        const typed = all.get(key);
        if (!typed) continue;
        const { blockId: block_id, actionId: action_id, kept } = typed;
        // What the server cannot take yet, such as half a number, it refuses at the submit.
        await control
          .post('click', { user: me.id, view, block_id, action_id, value: kept.value })
          .catch(() => {});
      }
    },
    values(blocks) {
      const values: Record<string, Record<string, unknown>> = {};
      for (const { blockId, actionId, kept } of all.values()) {
        const block = blocks.find(({ block_id: id }) => id === blockId);
        // An update may have taken the input away, or put another in its place.
        if (!JSON.stringify(block ?? null).includes(`"action_id":${JSON.stringify(actionId)}`)) continue;
        values[blockId] = { ...values[blockId], [actionId]: kept.state };
      }
      return values;
    },
  };
}

type Where = { readonly view: string } | { readonly channel: string; readonly ts: string };

function common(
  { control, me, names, workspace }: Session,
  where: Where,
): Pick<Surface, 'names' | 'timeZone' | 'act' | 'suggest'> {
  const element = (block_id: string, action_id: string) => ({ user: me.id, ...where, block_id, action_id });
  return {
    names,
    timeZone: me.tz,
    async act(blockId, actionId, value) {
      const { error } = await control.post<Reaction>('click', { ...element(blockId, actionId), value });
      if (error) throw new Error(explain(error, workspace.app.name));
    },
    suggest: (blockId, actionId, text) =>
      control.post<SuggestAnswer>('suggest', { ...element(blockId, actionId), text }),
  };
}
