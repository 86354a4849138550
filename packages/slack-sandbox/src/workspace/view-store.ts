import type { Change } from '../change-feed.ts';
import type { IdGenerator } from '../id-generator.ts';
import type { JsonObject } from '../json.ts';
import { assignIds } from './elements.ts';
import { resolveValues, type StateValues } from './state-values.ts';

/** Maximum number of views in a modal. */
export const maxStackedViews = 3;

/** A view of a modal, or a Home tab, with the values that the person has entered. */
export interface StoredView {
  readonly id: string;
  readonly owner: string;
  readonly type: 'modal' | 'home';
  readonly rootViewId: string;
  readonly previousViewId: string | null;
  /** The fields that the app sent. */
  draft: JsonObject;
  blocks: readonly JsonObject[];
  hash: string;
  values: StateValues;
  /** Options that the app has returned, by block and action. The person can choose only these. */
  readonly offeredOptions: Map<string, readonly JsonObject[]>;
}

export interface ViewStore {
  /** Opens a modal. It replaces the modal that the person has open. */
  open(owner: string, draft: JsonObject): StoredView;
  /** Adds a view on top of a person's modal. */
  push(owner: string, draft: JsonObject): StoredView;
  /** Replaces a view's content. An entered value is kept if its block and action still exist. */
  update(view: StoredView, draft: JsonObject): void;
  publish(owner: string, draft: JsonObject): StoredView;
  /** Replaces the entered values. */
  setValues(view: StoredView, values: StateValues): void;
  /** Closes a view and all views above it. */
  close(view: StoredView): void;
  closeAll(owner: string): void;
  /** Returns the views of a person's modal. The top view comes last. */
  getStack(owner: string): readonly StoredView[];
  getHome(owner: string): StoredView | undefined;
  findById(id: string): StoredView | undefined;
  findByExternalId(externalId: string): StoredView | undefined;
}

export function createViewStore(
  team: string,
  ids: IdGenerator,
  publish: (change: Change) => void,
): ViewStore {
  const stacks = new Map<string, StoredView[]>();
  const homes = new Map<string, StoredView>();

  const getStack = (owner: string) => stacks.get(owner) ?? [];
  const all = () => [...[...stacks.values()].flat(), ...homes.values()];
  const told = (view: { owner: string; type: 'modal' | 'home' }) =>
    publish({ kind: view.type === 'home' ? 'home' : 'modals', team, user: view.owner });

  function create(owner: string, type: 'modal' | 'home', draft: JsonObject, below?: StoredView): StoredView {
    const id = ids.id('V');
    const blocks = readBlocks(draft, ids);
    return {
      id,
      owner,
      type,
      rootViewId: below?.rootViewId ?? id,
      previousViewId: below?.id ?? null,
      draft,
      blocks,
      hash: ids.hash(),
      values: resolveValues(blocks),
      offeredOptions: new Map(),
    };
  }

  function restack(owner: string, stack: StoredView[]) {
    stacks.set(owner, stack);
    publish({ kind: 'modals', team, user: owner });
  }

  function update(view: StoredView, draft: JsonObject) {
    view.draft = draft;
    view.blocks = readBlocks(draft, ids);
    view.hash = ids.hash();
    view.values = resolveValues(view.blocks, view.values);
    told(view);
  }

  return {
    open(owner, draft) {
      const view = create(owner, 'modal', draft);
      restack(owner, [view]);
      return view;
    },
    push(owner, draft) {
      const stack = getStack(owner);
      const view = create(owner, 'modal', draft, stack.at(-1));
      restack(owner, [...stack, view]);
      return view;
    },
    update,
    publish(owner, draft) {
      const known = homes.get(owner);
      if (known) update(known, draft);
      const view = known ?? create(owner, 'home', draft);
      homes.set(owner, view);
      if (!known) told(view);
      return view;
    },
    setValues(view, values) {
      view.values = values;
    },
    close(view) {
      const stack = getStack(view.owner);
      const index = stack.indexOf(view);
      if (index >= 0) restack(view.owner, stack.slice(0, index));
    },
    closeAll: (owner) => restack(owner, []),
    getStack,
    getHome: (owner) => homes.get(owner),
    findById: (id) => all().find((view) => view.id === id),
    findByExternalId: (externalId) => all().find((view) => view.draft.external_id === externalId),
  };
}

function readBlocks(draft: JsonObject, ids: IdGenerator): JsonObject[] {
  return assignIds(Array.isArray(draft.blocks) ? draft.blocks : [], ids.elementId);
}
