// What is wrong with an open page, as a browser lays it out: every function answers with sentences, none when all is well.
(() => {
  const all = (what, from = document) => [...from.querySelectorAll(what)];
  const styleOf = element => getComputedStyle(element);
  const boxOf = element => element.getBoundingClientRect();
  const squeezed = text => (text || '').replace(/\s+/g, ' ').trim();
  const ownSvg = svg => !svg.parentElement.closest('svg');

  function name(element) {
    const text = squeezed(element.textContent).slice(0, 40);
    return `<${element.tagName.toLowerCase()}${element.id ? ' id=' + element.id : ''}>${text ? ` "${text}"` : ''}`;
  }

  function isShown(element) {
    const box = boxOf(element);
    return styleOf(element).visibility !== 'hidden' && box.width > 0 && box.height > 0;
  }

  // Text for screen readers only is kept in a box of one px.
  function isForEarsOnly(element) {
    for (let at = element; at; at = at.parentElement) {
      const box = boxOf(at);
      if (styleOf(at).position === 'absolute' && box.width <= 1 && box.height <= 1) return true;
    }
    return false;
  }

  const scrolls = element => ['auto', 'scroll'].includes(styleOf(element).overflowX);
  const cuts = element => ['hidden', 'clip'].includes(styleOf(element).overflowX);

  function isInScroller(element) {
    for (let at = element.parentElement; at && at !== document.body; at = at.parentElement) if (scrolls(at)) return true;
    return false;
  }

  // Whatever is wider than the window, or cut. On paper nothing can be scrolled.
  function wide(onPaper) {
    const wrong = [], width = window.innerWidth, told = new Set();
    const page = document.documentElement.scrollWidth;
    if (page > width) wrong.push(`the page is ${page} px wide`);
    for (const element of all('body *')) {
      if (element.ownerSVGElement || !isShown(element) || isForEarsOnly(element)) continue;
      const box = boxOf(element), within = element.scrollWidth <= element.clientWidth + 1;
      let fault = '';
      if (box.right > width + 0.5 && !isInScroller(element)) fault = `reaches to ${Math.round(box.right)} px`;
      else if (box.left < -0.5 && box.right > 0 && !isInScroller(element)) fault = 'begins left of the window';
      else if (cuts(element) && !within && element.tagName !== 'svg') fault = 'cuts off what it holds';
      else if (onPaper && scrolls(element) && !within) fault = `holds ${element.scrollWidth} px and would have to be scrolled`;
      if (!fault) continue;
      if (!told.has(element.parentElement)) wrong.push(`${name(element)} ${fault}`);
      told.add(element);
    }
    return wrong;
  }

  // How many px a unit of an SVG element is on the screen.
  function scale(element) {
    const m = element.getScreenCTM();
    return m ? Math.sqrt(Math.abs(m.a * m.d - m.b * m.c)) : 1;
  }

  // Labels of a picture with their sizes in px: <text>, and glyphs drawn as paths by matplotlib (100 units a letter).
  function labels(svg) {
    const texts = all('text', svg).filter(text => squeezed(text.textContent));
    const smallest = text => Math.min(...[text, ...all('tspan', text)].map(part => parseFloat(styleOf(part).fontSize)));
    const glyphs = new Set(all('g[id^="text_"] use', svg).map(use => use.closest('g')));
    return [
      ...texts.map(text => ({ element: text, what: squeezed(text.textContent), size: smallest(text) * scale(text) })),
      ...[...glyphs].map(g => ({ element: g, what: g.closest('g[id]').id, size: 100 * scale(g) })),
    ].filter(label => isShown(label.element));
  }

  // Text below `least` px, or below `leastDrawn` px in a picture.
  function small(least, leastDrawn) {
    const wrong = [], walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const holder = node.parentElement, size = parseFloat(styleOf(holder).fontSize);
      if (!squeezed(node.data) || holder.closest('svg') || !isShown(holder) || isForEarsOnly(holder)) continue;
      if (size < least) wrong.push(`text of ${size.toFixed(1)} px in ${name(holder)}`);
    }
    for (const { what, size } of all('svg').filter(ownSvg).flatMap(labels)) {
      if (size < leastDrawn - 0.05) wrong.push(`text of ${size.toFixed(1)} px in a picture: "${what}"`);
    }
    return wrong;
  }

  const SHAPES = 'path,rect,circle,ellipse,line,polyline,polygon,text,use,image';
  const caption = figure => squeezed(figure.querySelector('figcaption')?.textContent).slice(0, 50) || 'without a caption';

  function isDrawn(shape) {
    const box = shape.getBBox();
    return !shape.closest('defs,clipPath,symbol,marker,pattern,mask') && (box.width > 0 || box.height > 0);
  }

  function accessibleName(svg) {
    const pointed = (svg.getAttribute('aria-labelledby') || '').split(/\s+/).map(id => document.getElementById(id));
    const title = svg.querySelector(':scope > title');
    return squeezed(svg.getAttribute('aria-label') || pointed.map(node => node?.textContent).join(' ') || title?.textContent);
  }

  function pictureFaults(picture) {
    const box = boxOf(picture), wrong = [];
    if (!(box.width > 100 && box.height > 50)) wrong.push(`is only ${Math.round(box.width)} × ${Math.round(box.height)} px`);
    if (picture.tagName === 'IMG') {
      if (!picture.src.startsWith('data:')) wrong.push('is not in the page itself');
      if (!picture.naturalWidth) wrong.push('cannot be read');
      if (!squeezed(picture.alt)) wrong.push('has no alt text');
      return wrong;
    }
    if (!all(SHAPES, picture).some(isDrawn)) wrong.push('has nothing drawn in it');
    if (picture.getAttribute('role') !== 'img') wrong.push('lacks role=img');
    if (!accessibleName(picture)) wrong.push('has no name: give it aria-label, aria-labelledby or <title>');
    for (const { element, what } of labels(picture)) {
      const at = boxOf(element);
      const cut = Math.max(box.left - at.left, at.right - box.right, box.top - at.top, at.bottom - box.bottom);
      if (cut > 2) wrong.push(`cuts off its label "${what}"`);
    }
    return wrong;
  }

  const pictures = figure => all('svg,img', figure).filter(picture => picture.tagName === 'IMG' || ownSvg(picture));

  function figures() {
    return all('figure').flatMap(figure => {
      const wrong = pictures(figure).flatMap(pictureFaults).map(fault => `its picture ${fault}`);
      if (!pictures(figure).length) wrong.push('it has no picture');
      if (!squeezed(figure.querySelector('figcaption')?.textContent)) wrong.push('it has no <figcaption>');
      return wrong.map(fault => `figure "${caption(figure)}": ${fault}`);
    });
  }

  // Where the labels of a figure's picture are, in px from its corner.
  function labelBoxes(picture) {
    const from = boxOf(picture);
    if (picture.tagName === 'IMG') return [];
    return labels(picture).map(({ element, what }) => {
      const box = boxOf(element);
      return { what, left: box.left - from.left, top: box.top - from.top, width: box.width, height: box.height };
    });
  }

  function headings() {
    const found = all('h1,h2,h3,h4,h5,h6'), wrong = [], top = all('h1').length;
    if (top !== 1) wrong.push(`${top} <h1>, and there should be one`);
    let before = 0;
    for (const heading of found) {
      const level = Number(heading.tagName[1]);
      if (level > before + 1) wrong.push(`${name(heading)} skips a level`);
      before = level;
    }
    return wrong;
  }

  function tables() {
    return all('table').flatMap(table => {
      const cells = all('th', table), bare = cells.filter(cell => !cell.getAttribute('scope'));
      if (!cells.length) return [`a table without <th>: ${name(table)}`];
      return bare.map(cell => `${name(cell)} has no scope`);
    });
  }

  // What points into the page must find one thing there. Same id twice is harmless when both are alike (glyphs).
  function pointers() {
    const wrong = new Set(), held = new Map();
    for (const element of all('[id]')) held.set(element.id, [...(held.get(element.id) || []), element]);
    const used = new Set(all('[href^="#"]').map(element => decodeURIComponent(element.getAttribute('href').slice(1))));
    for (const element of all('svg use')) used.add((element.href?.baseVal || '').slice(1));
    for (const [, id] of document.documentElement.outerHTML.matchAll(/url\((?:&quot;|["'])?#([^"')&]+)/g)) used.add(id);
    for (const id of used) {
      const found = held.get(id) || [];
      if (id && !found.length) wrong.add(`#${id} is pointed at and is not in the page`);
      if (new Set(found.map(element => element.outerHTML)).size > 1) wrong.add(`#${id} is pointed at and is there more than once`);
    }
    return [...wrong];
  }

  const COMMON = {
    fr: ['le', 'la', 'les', 'des', 'est', 'une', 'et', 'du', 'pour', 'dans', 'sont', 'qui'],
    en: ['the', 'of', 'and', 'is', 'a', 'to', 'in', 'are', 'that', 'with', 'for', 'it'],
  };

  function language(expected) {
    if (!COMMON[expected]) return ['the name ends neither in .fr.html nor in .en.html'];
    const wrong = [], declared = document.documentElement.lang.split('-')[0];
    if (declared !== expected) wrong.push(`<html lang="${declared}"> in a page whose name says ${expected}`);
    const words = document.body.innerText.toLowerCase().split(/[^\p{L}]+/u);
    const count = language => words.filter(word => COMMON[language].includes(word)).length;
    const [most] = Object.keys(COMMON).sort((a, b) => count(b) - count(a));
    if (most !== expected) wrong.push(`the text reads like ${most}, and the name says ${expected}`);
    return wrong;
  }

  function head() {
    const wrong = [], viewport = document.querySelector('meta[name=viewport]')?.content || '';
    if (!viewport.includes('width=device-width')) wrong.push('no <meta name=viewport content="width=device-width">: phones would shrink it');
    if (document.characterSet !== 'UTF-8' || !document.querySelector('meta[charset]')) wrong.push('no <meta charset="utf-8">');
    return wrong;
  }

  const order = expected => [...head(), ...language(expected), ...headings(), ...tables(), ...pointers()];
  const hasDark = () => /prefers-color-scheme\s*:\s*dark|color-scheme\s*:[^;}]*dark/.test(document.documentElement.outerHTML);
  const headingTexts = () => all('h1,h2,h3,h4,h5,h6').map(heading => squeezed(heading.innerText));
  window.measure = { wide, small, figures, labelBoxes, order, hasDark, headingTexts };
})();
