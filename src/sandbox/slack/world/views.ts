import type { Change } from '../changes.ts';
import type { JsonObject } from '../json.ts';
import type { Mint } from '../mint.ts';
import { withIds } from './elements.ts';
import { type Values, valuesOf } from './stateful-elements.ts';

/** Most views that a modal stacks. */
export const maxStackedViews = 3;

/** A modal's view or a Home tab, and what the person has filled in. */
export interface ShownView {
  readonly id: string;
  readonly owner: string;
  readonly type: 'modal' | 'home';
  readonly rootViewId: string;
  readonly previousViewId: string | null;
  /** The app's own fields, as it gave them. */
  draft: JsonObject;
  blocks: readonly JsonObject[];
  hash: string;
  values: Values;
  /** Options that the app last offered, by block and action: a person can choose no other. */
  readonly offered: Map<string, readonly JsonObject[]>;
}

export interface ViewStore {
  /** Opens a modal; one that was open for that person goes. */
  open(owner: string, draft: JsonObject): ShownView;
  /** Puts a view on top of a person's modal. */
  push(owner: string, draft: JsonObject): ShownView;
  /** Replaces what a view shows, keeping what was filled in where block and action stay. */
  update(view: ShownView, draft: JsonObject): void;
  publish(owner: string, draft: JsonObject): ShownView;
  /** Changes what is filled in. */
  fill(view: ShownView, values: Values): void;
  /** Takes a view off; those above it go too. */
  close(view: ShownView): void;
  clear(owner: string): void;
  /** A person's modal, the top view last. */
  stackOf(owner: string): readonly ShownView[];
  homeOf(owner: string): ShownView | undefined;
  byId(id: string): ShownView | undefined;
  byExternalId(externalId: string): ShownView | undefined;
}

export function createViewStore(team: string, mint: Mint, publish: (change: Change) => void): ViewStore {
  const stacks = new Map<string, ShownView[]>();
  const homes = new Map<string, ShownView>();

  const stackOf = (owner: string) => stacks.get(owner) ?? [];
  const all = () => [...[...stacks.values()].flat(), ...homes.values()];
  const told = (view: { owner: string; type: 'modal' | 'home' }) =>
    publish({ kind: view.type === 'home' ? 'home' : 'modals', team, user: view.owner });

  function create(owner: string, type: 'modal' | 'home', draft: JsonObject, below?: ShownView): ShownView {
    const id = mint.id('V');
    const blocks = blocksIn(draft, mint);
    return {
      id,
      owner,
      type,
      rootViewId: below?.rootViewId ?? id,
      previousViewId: below?.id ?? null,
      draft,
      blocks,
      hash: mint.hash(),
      values: valuesOf(blocks),
      offered: new Map(),
    };
  }

  function restack(owner: string, stack: ShownView[]) {
    stacks.set(owner, stack);
    publish({ kind: 'modals', team, user: owner });
  }

  function update(view: ShownView, draft: JsonObject) {
    view.draft = draft;
    view.blocks = blocksIn(draft, mint);
    view.hash = mint.hash();
    view.values = valuesOf(view.blocks, view.values);
    told(view);
  }

  return {
    open(owner, draft) {
      const view = create(owner, 'modal', draft);
      restack(owner, [view]);
      return view;
    },
    push(owner, draft) {
      const stack = stackOf(owner);
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
    fill(view, values) {
      view.values = values;
    },
    close(view) {
      const stack = stackOf(view.owner);
      const index = stack.indexOf(view);
      if (index >= 0) restack(view.owner, stack.slice(0, index));
    },
    clear: (owner) => restack(owner, []),
    stackOf,
    homeOf: (owner) => homes.get(owner),
    byId: (id) => all().find((view) => view.id === id),
    byExternalId: (externalId) => all().find((view) => view.draft.external_id === externalId),
  };
}

function blocksIn(draft: JsonObject, mint: Mint): JsonObject[] {
  return withIds(Array.isArray(draft.blocks) ? draft.blocks : [], mint.label);
}
