import { createComposer } from './composer.js';
import { h } from './dom.js';
import { createHome } from './home.js';
import { notify } from './notices.js';
import { createTimeline } from './timeline.js';

/**
 * Shows a conversation, a thread beside it, or the app's Home tab, and sends what is typed there.
 *
 * @param {{ control: any, workspace: any, places: any, regions: Record<string, HTMLElement>, user: string,
 *   isReloaded: boolean, go(place: string, thread?: string): void }} needs
 */
export function createConversation({ control, workspace, places, regions, user, isReloaded, go }) {
  const { app, names, channels, commands, shortcuts } = workspace;
  const home = createHome(places.ofView);
  let channel;
  let thread;
  let panes = {};
  let isForgetful = isReloaded;

  function open(place, threadTs) {
    [channel, thread] = [place, threadTs];
    regions.thread.hidden = place === 'home' || !thread;
    if (place === 'home') {
      regions.conversation.replaceChildren(head(app.name, h('span', { class: 'subtle' }, 'Home')), home.node);
      tell(control.post('home', { user }));
      return;
    }
    const name = channels.find(({ id }) => id === place)?.name;
    const title = name ? `# ${name}` : app.name;
    const main = timeline('Messages', (ts) => go(place, ts));
    const isClosed = !name && app.messages_tab !== 'open';
    const closed = h('p', { class: 'empty' }, 'The manifest turns messages to this app off.');
    regions.conversation.replaceChildren(
      head(title),
      main.node,
      isClosed ? closed : composer(`Message ${title}`),
    );
    panes = { main, thread: thread && openThread(place) };
  }

  function openThread(place) {
    const replies = timeline('Thread');
    const close = h('button', { type: 'button', class: 'quiet', onclick: () => go(place) }, 'Close');
    regions.thread.replaceChildren(head('Thread', close), replies.node, composer('Reply in thread', thread));
    return replies;
  }

  function head(title, beside) {
    return h('div', { class: 'pane-head' }, h('h2', {}, title), beside);
  }

  /** Reads the conversation anew and shows it; `homeView` is the person's Home tab. */
  async function refresh(homeView) {
    if (channel === 'home') {
      home.show(homeView);
      return;
    }
    const asked = channel;
    const question = { channel: asked, user, ...(isForgetful && { reload: true }) };
    isForgetful = false;
    const { messages, failure } = await control
      .get('messages', question)
      .catch(({ message }) => ({ failure: message }));
    if (asked !== channel) return;
    if (failure) {
      panes.main.tell(failure);
      return;
    }
    panes.main.show(messages.filter((message) => !isReply(message)));
    panes.thread?.show(messages.filter(({ ts, thread_ts: parent }) => ts === thread || parent === thread));
  }

  function timeline(label, openThreadOf) {
    const place = channel;
    const ofMessages = shortcuts.filter(({ type }) => type === 'message');
    return createTimeline({
      label,
      openThread: openThreadOf,
      placeFor: places.ofMessage(place),
      author: ({ user: author, bot_id: bot }) => ({ name: names.user(author), isApp: bot !== undefined }),
      shortcutsFor: ({ ts }) => ofMessages.map((shortcut) => pressable(shortcut, { channel: place, ts })),
    });
  }

  function composer(label, threadTs) {
    const offered = threadTs ? [] : shortcuts.filter(({ type }) => type === 'global');
    return createComposer({
      label,
      appName: app.name,
      commands: threadTs ? [] : commands,
      shortcuts: offered.map((shortcut) => pressable(shortcut)),
      send: (text) => tell(send(text, threadTs)),
    }).node;
  }

  function pressable({ name, callback_id }, where = {}) {
    return { label: name, onclick: () => tell(control.post('shortcut', { user, callback_id, ...where })) };
  }

  async function send(text, threadTs) {
    const where = { user, channel, ...(threadTs && { thread_ts: threadTs }) };
    const [, command, rest] = /^(\/\S+)\s*([\s\S]*)$/.exec(text) ?? [];
    if (!command) return control.post('message', { ...where, text });
    await control.post('slash', { ...where, command, text: rest });
    return {};
  }

  return { open, refresh };
}

function isReply({ ts, thread_ts: parent, subtype }) {
  return parent !== undefined && parent !== ts && subtype !== 'thread_broadcast';
}

/** Waits for the sandbox and says what went wrong, in the call or in what it started. */
async function tell(call) {
  const answer = await call.catch((error) => ({ error: error.message }));
  if (answer.error) notify(answer.error);
}
