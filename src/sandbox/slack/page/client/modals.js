import { showBlocks } from './blocks.js';
import { freshId, h } from './dom.js';
import { createField } from './fields.js';
import { plainText } from './mrkdwn.js';

/**
 * Shows the top view of a person's modal. A view that changed is drawn anew with what was typed in it, as long as
 * block and action stay.
 *
 * @param {{ placeFor(view: any): any, submit(view: any, values: any): Promise<any>, close(view: any): Promise<void>,
 *   keep(view: any, blockId: string, actionId: string, value: unknown): Promise<void> }} handlers
 */
export function createModals(handlers) {
  let dialog;
  let shownHash;
  let shownId;
  let fields = [];

  /** @param {any[]} stack the modal's views, the top last */
  function show(stack) {
    const view = stack.at(-1);
    if (!view) return remove();
    if (view.id === shownId && view.hash === shownHash) return undefined;
    const typed = view.id === shownId ? readValues() : {};
    const focused =
      view.id === shownId ? document.activeElement?.closest('[data-block-id]')?.dataset.blockId : undefined;
    const isNew = !dialog;
    dialog ??= h('dialog', { class: 'modal', oncancel: onCancel });
    [shownId, shownHash] = [view.id, view.hash];
    draw(view, stack, typed);
    if (isNew) {
      document.body.append(dialog);
      dialog.showModal();
    }
    focusOn(focused, view);
    return undefined;

    function onCancel(event) {
      event.preventDefault();
      dialog.querySelector('.close')?.click();
    }
  }

  function remove() {
    dialog?.close();
    dialog?.remove();
    [dialog, shownId, shownHash, fields] = [undefined, undefined, undefined, []];
  }

  function draw(view, stack, typed) {
    fields = [];
    const titleId = freshId('title');
    const place = { ...placeOf(view), input: (block) => inputBlock(block, view, typed) };
    const body = h('div', { class: 'blocks' }, showBlocks(view.blocks, place));
    const label = stack.length > 1 ? 'Back' : 'Cancel';
    const form = h(
      'form',
      { method: 'dialog', noValidate: true, onsubmit: (event) => submit(event, view) },
      h('header', {}, h('h2', { id: titleId }, plainText(view.title))),
      body,
      h('p', { class: 'form-error', role: 'alert' }),
      h(
        'footer',
        { class: 'buttons' },
        h(
          'button',
          { type: 'button', class: 'close', onclick: () => handlers.close(view) },
          view.close ? plainText(view.close) : label,
        ),
        view.submit && h('button', { type: 'submit', class: 'primary' }, plainText(view.submit)),
      ),
    );
    dialog.setAttribute('aria-labelledby', titleId);
    dialog.replaceChildren(form);
  }

  function inputBlock(block, view, typed) {
    const { block_id: blockId, element, label, hint, optional } = block;
    const { action_id: actionId } = element;
    const state = typed[blockId]?.[actionId] ?? view.state?.values?.[blockId]?.[actionId];
    const place = placeOf(view);
    const isDispatched = block.dispatch_action === true;
    const onchange = (event) => {
      if (!isDispatched) return;
      event?.preventDefault();
      place.act(blockId, actionId, field.chosen());
    };
    const field = createField(element, state, place.sourcesFor(blockId, actionId), onchange);
    if (!field) return h('div', { class: 'placeholder' }, `[${element.type}]`);
    fields.push({ blockId, actionId, field, isDispatched });

    const errorId = freshId('error');
    const hintId = freshId('hint');
    field.target.setAttribute('aria-describedby', `${errorId} ${hintId}`);
    if (!optional) field.target.setAttribute('aria-required', 'true');
    const title = [plainText(label), optional && h('span', { class: 'subtle' }, ' (optional)')];
    const below = [
      hint && h('small', { id: hintId }, plainText(hint)),
      h('div', { id: errorId, class: 'field-error', role: 'alert' }),
    ];
    const props = { class: 'input-block', 'data-block-id': blockId };
    return field.isGroup
      ? h('fieldset', props, h('legend', {}, title), field.node, below)
      : h('div', props, h('label', { htmlFor: field.target.id }, title), field.node, below);
  }

  /** Where the view's elements act: the sandbox learns first what was typed, for the app is told all of it. */
  function placeOf(view) {
    const place = handlers.placeFor(view);
    const act = async (...press) => {
      for (const { blockId, actionId, field, isDispatched } of fields) {
        if (!isDispatched) await handlers.keep(view, blockId, actionId, field.chosen());
      }
      await place.act(...press);
    };
    return { ...place, act };
  }

  async function submit(event, view) {
    event.preventDefault();
    dialog.setAttribute('aria-busy', 'true');
    const answer = await handlers.submit(view, readValues()).catch((error) => ({ failure: error.message }));
    dialog?.removeAttribute('aria-busy');
    showErrors(answer.errors ?? {}, answer.failure ?? answer.error);
  }

  function showErrors(errors, failure) {
    if (!dialog) return;
    dialog.querySelector('.form-error').textContent = failure ?? '';
    for (const { blockId, field } of fields) {
      const message = errors[blockId] ?? '';
      const block = field.node.closest('.input-block');
      block.querySelector('.field-error').textContent = message;
      block.classList.toggle('wrong', message !== '');
      field.target.setAttribute('aria-invalid', String(message !== ''));
    }
    fields.find(({ blockId }) => errors[blockId])?.field.target.focus();
  }

  function readValues() {
    const values = {};
    for (const { blockId, actionId, field } of fields) values[blockId] = { [actionId]: field.read() };
    return values;
  }

  function focusOn(blockId, view) {
    const wanted = blockId ?? view.blocks.find(({ element }) => element?.focus_on_load)?.block_id;
    const found = fields.find((field) => field.blockId === wanted) ?? fields[0];
    if (found) found.field.target.focus({ preventScroll: true });
    else dialog.querySelector('button.primary, button.close')?.focus();
  }

  return { show };
}
