import { createControl } from './control.js';
import { createConversation } from './conversation.js';
import { h } from './dom.js';
import { createModals } from './modals.js';
import { notify } from './notices.js';
import { createPlaces } from './places.js';
import { sidebar, switcher } from './sidebar.js';
import { readAddress, workspaceOf, writeAddress } from './workspace.js';

const regions = Object.fromEntries(
  ['bar', 'sidebar', 'conversation', 'thread'].map((id) => [id, document.getElementById(id)]),
);

let leave = () => {};
/** At a reload Slack's clients lose what only one person saw; at a change of person they do not. */
let isReloaded = performance.getEntriesByType('navigation').some(({ type }) => type === 'reload');

addEventListener('hashchange', enter);
enter();

/** Shows the workspace, person and conversation that the address names, or the first ones. */
async function enter() {
  leave();
  const wanted = readAddress();
  const control = createControl(wanted.team || 'T0ACME');
  try {
    leave = show(control, workspaceOf(await control.get('workspace')), wanted);
  } catch (error) {
    const message = `The sandbox cannot be reached: ${error.message}`;
    regions.conversation.replaceChildren(h('p', { class: 'empty' }, message));
  }
}

/** Shows one person's workspace until the answer is called. */
function show(control, workspace, wanted) {
  const { app, humans, channels, teams } = workspace;
  const user = humans.find(({ id }) => id === wanted.user)?.id ?? humans[0].id;
  const state = {
    team: workspace.team.id,
    user,
    place: wanted.place || channels[0].id,
    thread: wanted.thread,
  };
  const places = createPlaces(control, workspace, user);
  const conversation = createConversation({ control, workspace, places, regions, user, isReloaded, go });
  isReloaded = false;
  const modals = createModals({
    placeFor: places.ofView,
    submit: (view, values) => control.post('submit', { user, view: view.id, values }),
    close: (view) => control.post('close', { user, view: view.id }).catch((error) => notify(error.message)),
    keep: (view, blockId, actionId, value) => places.ofView(view).act(blockId, actionId, value),
  });
  const refreshInTurn = inTurn(refresh);
  let isLeft = false;

  go(state.place, state.thread);
  const unfollow = control.follow(refreshInTurn);
  return () => {
    isLeft = true;
    unfollow();
    modals.show([]);
  };

  function go(place, thread) {
    Object.assign(state, { place, thread });
    writeAddress(state);
    drawAround();
    conversation.open(place, thread);
    refreshInTurn();
  }

  async function refresh() {
    try {
      const views = await control.get('views', { user });
      if (isLeft) return;
      modals.show(views.modals);
      await conversation.refresh(views.home);
    } catch (error) {
      notify(error.message);
    }
  }

  function drawAround() {
    const options = (list, name) => list.map((item) => ({ id: item.id, label: item[name] }));
    const visit = (team) => reload({ team });
    const become = (next) =>
      reload({ ...state, user: next, place: state.place === user ? next : state.place });
    regions.bar.replaceChildren(
      h('h1', {}, 'Slack sandbox'),
      switcher('Workspace', options(teams, 'name'), state.team, visit),
      switcher('You are', options(humans, 'real_name'), user, become),
    );
    regions.sidebar.replaceChildren(...sidebar({ channels, app, user, current: state.place, go }));
  }

  function reload(next) {
    writeAddress(next);
    enter();
  }
}

/** Runs a task again after its end when it was asked for meanwhile, and never twice at a time. */
function inTurn(task) {
  let running = false;
  let isAskedAgain = false;
  return async function run() {
    isAskedAgain = running;
    if (running) return;
    running = true;
    await task();
    running = false;
    if (isAskedAgain) run();
  };
}
