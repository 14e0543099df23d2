// The key / moves the focus to the search box, unless the user is typing or has switched the key off. The page then does
// not name it.

document.addEventListener('keydown', (event) => {
  const { key, target, altKey, ctrlKey, metaKey } = event;
  if (key !== '/' || altKey || ctrlKey || metaKey) return;
  if (target.isContentEditable || target.matches('input, select, textarea')) return;
  const box = document.querySelector('#find[aria-keyshortcuts]');
  if (!box) return;
  event.preventDefault();
  box.focus();
  box.select();
});
