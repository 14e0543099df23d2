// Buttons that copy the text of the element before them. Without this script they are hidden.

document.documentElement.classList.add('scripts');

document.addEventListener('click', async ({ target }) => {
  if (!target.matches('button.copy')) return;
  // Without TLS scripts have no clipboard, but the browser can copy the selection.
  getSelection().selectAllChildren(target.previousElementSibling);
  if (navigator.clipboard) await navigator.clipboard.writeText(target.previousElementSibling.textContent);
  else document.execCommand('copy');
  target.textContent = target.ariaLabel = 'Copied';
});
