import { useMemo } from 'react';
import type { InputValue, SuggestResponse, Surface } from '../block-kit/surface.ts';
import type { ActionResult, Block, MessageData, ViewData } from '../state/control-api.ts';
import { explainSlackError } from '../state/error-message.ts';
import { type Session, useSession } from '../state/session.ts';
import { uploadFile } from '../state/upload-file.ts';

/** Values that were typed into a view but that the server doesn't know yet. */
export interface PendingInputs {
  set(blockId: string, actionId: string, input: InputValue): void;
  /** Sends the values that the server accepts before the submission. */
  flush(): Promise<void>;
  /** Returns the values typed into inputs that these blocks still contain, in the form of `state.values`. */
  values(blocks: readonly Block[]): Record<string, Record<string, unknown>>;
}

const noValues: Readonly<Record<string, never>> = {};

/** Returns the surface for a message's blocks. */
export function useMessageSurface(channel: string, { ts, state }: MessageData): Surface {
  const session = useSession();
  const values = state?.values ?? noValues;
  return useMemo(
    () => ({
      kind: 'message',
      values,
      errors: noValues,
      ...createSurfaceActions(session, { channel, ts }),
      setInput: () => {},
    }),
    [session, channel, ts, values],
  );
}

/** Returns the surface for a view's blocks. */
export function useViewSurface(
  { id, type, blocks, state }: ViewData,
  pendingInputs: PendingInputs,
  errors: Readonly<Record<string, string>>,
): Surface {
  const session = useSession();
  return useMemo(() => {
    const { sendAction, ...rest } = createSurfaceActions(session, { view: id });
    return {
      kind: type,
      // Includes values that were typed before another view covered this one. The server may not
      // have them.
      values: { ...state.values, ...pendingInputs.values(blocks) },
      errors,
      ...rest,
      sendAction: async (...click) => {
        // An action's payload includes all values of the form, so they are sent first.
        await pendingInputs.flush();
        await sendAction(...click);
      },
      setInput: pendingInputs.set,
    };
  }, [session, id, type, blocks, state, pendingInputs, errors]);
}

/** Creates the store of the values typed into a view. */
export function createPendingInputs({ control, me }: Session, view: string): PendingInputs {
  const all = new Map<string, { blockId: string; actionId: string; input: InputValue }>();
  const unsent = new Set<string>();
  return {
    set(blockId, actionId, input) {
      const key = `${blockId} ${actionId}`;
      all.set(key, { blockId, actionId, input });
      if (!input.isForSubmitOnly) unsent.add(key);
    },
    async flush() {
      const keys = [...unsent];
      unsent.clear();
      for (const key of keys) {
        const typed = all.get(key);
        if (!typed) continue;
        const { blockId: block_id, actionId: action_id, input } = typed;
        // The server rejects some values now, such as half a number. They are reported on
        // submission.
        await control
          .post('click', { user: me.id, view, block_id, action_id, value: input.value })
          .catch(() => {});
      }
    },
    values(blocks) {
      const values: Record<string, Record<string, unknown>> = {};
      for (const { blockId, actionId, input } of all.values()) {
        const block = blocks.find(({ block_id: id }) => id === blockId);
        // An update of the view can have removed or replaced the input.
        if (!JSON.stringify(block ?? null).includes(`"action_id":${JSON.stringify(actionId)}`)) continue;
        values[blockId] = { ...values[blockId], [actionId]: input.state };
      }
      return values;
    },
  };
}

type SurfaceTarget = { readonly view: string } | { readonly channel: string; readonly ts: string };

function createSurfaceActions(
  { control, me, names, workspace }: Session,
  where: SurfaceTarget,
): Pick<Surface, 'names' | 'timeZone' | 'sendAction' | 'suggest' | 'upload'> {
  const element = (block_id: string, action_id: string) => ({ user: me.id, ...where, block_id, action_id });
  return {
    names,
    timeZone: me.tz,
    async sendAction(blockId, actionId, value) {
      const { error } = await control.post<ActionResult>('click', { ...element(blockId, actionId), value });
      if (error) throw new Error(explainSlackError(error, workspace.app.name));
    },
    suggest: (blockId, actionId, text) =>
      control.post<SuggestResponse>('suggest', { ...element(blockId, actionId), text }),
    upload: (file) => uploadFile(control, me.id, file),
  };
}
