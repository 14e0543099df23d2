// Shows the values of the chart step that has the focus or the pointer, and moves between steps with the keyboard (choice
// C16). Without this script each step shows its values as a tooltip, and the table below the chart has all of them.

const STEP = '.chart-step';
/** Where a key leads from a step, by its index and the last index. */
const MOVES = {
  ArrowLeft: (index) => index - 1,
  ArrowRight: (index) => index + 1,
  PageUp: (index) => index - 10,
  PageDown: (index) => index + 10,
  Home: () => 0,
  End: (_index, last) => last,
};

/** The step whose values are shown. */
let said;

function say(step) {
  said = step;
  step.closest('figure').querySelector('.chart-values').textContent = step.textContent;
}

for (const name of ['focusin', 'pointerover'])
  document.addEventListener(name, ({ target }) => {
    const step = target.closest?.(STEP);
    if (step) say(step);
  });

document.addEventListener('keydown', (event) => {
  const step = event.target.closest?.(STEP);
  const move = event.altKey || event.ctrlKey || event.metaKey ? undefined : MOVES[event.key];
  if (!step || !move) return;
  const steps = [...step.parentNode.querySelectorAll(STEP)];
  const last = steps.length - 1;
  steps[Math.min(Math.max(move(steps.indexOf(step), last), 0), last)].focus();
  event.preventDefault();
});

// An update from the service shows the newest step, so this restores the selected one.
document.addEventListener('htmx:after:swap', () => {
  if (said?.isConnected) say(said);
});
