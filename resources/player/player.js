
"use strict";
// Plays a recorded run. All that is drawn is a function of the run and of one position:
// the number of merges done.
(() => {
  const run = JSON.parse(document.getElementById("run").textContent);
  // Merges a second; the first stands for a replay that begins slowly and gets ever faster.
  const SPEEDS = [0, 0.5, 1, 2, 5, 10, 20, 50, 200];
  const NEWEST = 12;
  // The most pairs that are known at a position, and how long a merge is seen, in milliseconds.
  const MOST = 20, DRAIN = 400, DRAIN_SHARE = 0.55, SETTLED = { duration: 250, easing: "ease-out" };
  // The share of a merge after which its tokens are one, as in player.css, and all numbers those
  // after it.
  const JOIN = 0.15;
  // Of the letters of the text in rem: alone, they may be larger than beside charts.
  const SIZES = [7, 6, 5, 4.2, 3.6, 3.1, 2.7, 2.4, 2.2, 2, 1.8, 1.7, 1.6, 1.5];
  const LARGEST_BESIDE = 2.4;
  // Only where all of the text is in sight with them: a longer one is moved, and read from afar.
  const SMALLER = [1.4, 1.3, 1.2, 1.1, 1];
  // Merges of the longest run on a linear slider, and the places of a slider that is not.
  const MANY = 200, PLACES = 10000;
  const QUIET = " \n\t";
  const MARKS = { " ": "·", "\n": "¶", "\t": "→" };
  const at = (id) => document.getElementById(id);
  const number = (value) => value.toLocaleString("en");
  const times = (count) => (count === 1 ? "once" : `${number(count)} times`);

  const made = (name, text, className) => {
    const element = document.createElement(name);
    if (text !== undefined) element.textContent = text;
    if (className) element.className = className;
    return element;
  };

  // -- what the run says --------------------------------------------------------------

  const label = (token) => run.labels[token];
  // Isolated, the left one of a pair stays on the left in every script.
  const pairText = (left, right) => `\u2068${label(left)}\u2069 + \u2068${label(right)}\u2069`;
  const merge = (step) => ({
    left: run.left[step], right: run.right[step], made: run.made[step], count: run.count[step],
  });

  // The pairs of a position are told by what is new in them since the position before:
  // a negative number stands for some of the former pairs in a row, any other begins a pair.
  const decode = (before, changes) => {
    const pairs = [];
    for (let i = 0; i < changes.length;) {
      if (changes[i] < 0) {
        const code = -1 - changes[i++], first = Math.floor(code / 32);
        pairs.push(...before.slice(first, first + code % 32));
      } else {
        pairs.push({ left: changes[i], right: changes[i + 1], count: changes[i + 2] });
        i += 3;
      }
    }
    return pairs;
  };

  let known = { place: -1, pairs: [] };
  const pairsAt = (position) => {
    const place = position - run.start;
    const whole = place - place % run.every;
    let { place: from, pairs } = known;
    if (from > place || from < whole) {
      from = whole;
      pairs = decode([], run.pairs[whole]);
    }
    while (from < place) pairs = decode(pairs, run.pairs[++from]);
    known = { place, pairs };
    return pairs;
  };

  const winnerAt = (position, pairs) => {
    if (position >= run.left.length) return 0;
    const { left, right } = merge(position);
    return pairs.findIndex((pair) => pair.left === left && pair.right === right);
  };

  // -- the text -----------------------------------------------------------------------

  // The text with its symbols, its characters, and the byte at which each of them begins.
  const encoder = new TextEncoder();
  let text, characters, begins;
  const take = (other) => {
    text = other;
    characters = [...text.shown];
    begins = [0];
    for (const character of characters) {
      begins.push(begins[begins.length - 1] + encoder.encode(character).length);
    }
  };
  take(run.text);
  const numbered = (character) =>
    `‹U+${character.codePointAt(0).toString(16).toUpperCase().padStart(4, "0")}›`;
  const markOf = (character) => text.marks[character] ?? MARKS[character]
    ?? (/^[\p{C}\p{Z}]$/u.test(character) ? numbered(character) : undefined);
  const leftwards =
    /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;
  const combining = /^\p{M}$/u;

  // The tokens at a position: a border between two symbols stands until the step that
  // removed it, and the last of the merges within a token is the one that made it.
  const cut = (position) => {
    const { ids, starts, ends, removed } = text;
    const tokens = [];
    for (let i = 0; i < ids.length; i++) {
      const step = removed[i];
      if (step < 0 || step >= position) {
        tokens.push({ symbol: i, id: ids[i], start: starts[i], end: ends[i], last: i, step: -1 });
      } else {
        const token = tokens[tokens.length - 1];
        token.end = ends[i];
        token.last = i;
        if (step > token.step) {
          token.step = step;
          token.id = run.made[step];
          token.seam = starts[i];
        }
      }
    }
    return tokens;
  };

  const hex = (bytes) =>
    [...bytes].map((byte) => `0x${byte.toString(16).toUpperCase().padStart(2, "0")}`).join(" ");

  const firstCharacter = (byte) => {
    let low = 0, high = characters.length;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (begins[middle] <= byte) low = middle; else high = middle - 1;
    }
    return low;
  };

  // What stands between two bytes of the text, so that nothing of it is hidden: texts, and
  // quiet marks for spaces and line ends. After a line end in the midst, a new line begins.
  const visible = (start, end) => {
    const parts = [];
    let shown = "", broken = [], based = false, torn = false;
    const add = (more) => {
      shown += (torn && (shown || parts.length) ? " " : "") + more;
      torn = false;
    };
    const flush = () => {
      if (!broken.length) return;
      torn = true;
      add(hex(broken));
      torn = true;
      broken = [];
    };
    const cutOff = () => {
      if (shown) parts.push(shown);
      shown = "";
    };
    for (let i = firstCharacter(start); i < characters.length && begins[i] < end; i++) {
      const character = characters[i];
      if (begins[i] < start || begins[i + 1] > end) {
        const from = Math.max(start - begins[i], 0), to = end - begins[i];
        broken.push(...encoder.encode(character).slice(from, to));
        based = false;
        continue;
      }
      flush();
      const mark = markOf(character);
      if (QUIET.includes(character)) {
        add("");
        cutOff();
        parts.push(made("span", mark, character === "\n" ? "mark end" : "mark"));
        if (character === "\n" && begins[i + 1] < end) parts.push(made("br"));
        based = false;
      } else if (mark === undefined && combining.test(character)) {
        const lone = /\p{Me}/u.test(character) ? numbered(character) : `◌${character}`;
        add(based ? character : lone);
        based = true;
      } else {
        add(mark === undefined ? character : mark);
        based = mark === undefined;
      }
    }
    flush();
    cutOff();
    return parts;
  };

  // Lines break between words, as they do everywhere: the marks for spaces would not let them.
  // A space that is a token of its own stays at the end of its line.
  const isSpace = (place) => /\s/.test(characters[place] ?? "");
  const beginsWord = ({ start, end }) => {
    const place = firstCharacter(start);
    if (begins[place] !== start || place === 0 || start === end) return false;
    return isSpace(place) ? begins[place + 1] < end : isSpace(place - 1);
  };

  // Lines of their own: each runs in the direction of its letters.
  const newLine = (parent) => {
    const line = made("div");
    line.dir = "auto";
    parent.append(line);
  };

  const showGap = (parent, start, end) => {
    const lines = characters.slice(firstCharacter(start), firstCharacter(end)).join("").split("\n");
    lines.forEach((line, index) => {
      if (index) newLine(parent);
      const shown = [...line].map((character) => markOf(character) ?? character);
      if (line) parent.lastChild.append(made("span", shown.join(""), "gap"));
    });
  };

  const endsLine = ({ start, end }) =>
    end > start && characters[firstCharacter(end - 1)] === "\n";

  // A token that has just been made begins as the two that it is made of, with their colours.
  const showJoining = (element, { start, seam, end, step }, ending) => {
    const parts = [[run.left[step], visible(start, seam)], [run.right[step], visible(seam, end)]];
    parts[1][1].push(...ending);
    for (const [id, shown] of parts) {
      const part = made("span", undefined, "part");
      part.dataset.colour = run.colours[id];
      part.append(...shown);
      element.append(part);
    }
    element.classList.add("joins");
  };

  const showToken = (parent, token, newest, joins) => {
    const element = made("span", undefined, "token");
    const { start, seam, end, step } = token;
    const whole = [start, seam, end].every((byte) => begins[firstCharacter(byte)] === byte);
    const marks = seam < end && combining.test(characters[firstCharacter(seam)] ?? "");
    const ends = text.marked[token.last];
    const ending = ends || start === end ? [made("small", ends ? "</w>" : label(token.id))] : [];
    if (beginsWord(token)) parent.lastChild.append(made("wbr"));
    // The end of a word stays with the word: a word joiner forbids a new line.
    else if (start === end) parent.lastChild.append("\u2060");
    if (joins && step === position - 1 && whole && !marks) {
      showJoining(element, token, ending);
    } else element.append(...visible(start, end), ...ending);
    element.dataset.id = token.id;
    if (token.id < 0) {
      element.classList.add("unknown");
      element.title = "not in the alphabet";
    } else {
      element.dataset.colour = run.colours[token.id];
      element.title = `id ${number(run.ids[token.id])}: ${label(token.id)}`;
      if (token.id === newest) element.classList.add("newest");
    }
    // A word of usual length is not broken between two lines.
    if (element.textContent.length < 30) element.classList.add("whole");
    // The marks in it stay with its letters; neighbours still run one way.
    if (leftwards.test(element.textContent)) element.classList.add("leftwards");
    parent.lastChild.append(element);
    if (endsLine(token)) newLine(parent);
  };

  const showText = (position, joins) => {
    const tokens = cut(position);
    const newest = position > 0 ? run.made[position - 1] : -1;
    const parent = document.createDocumentFragment();
    newLine(parent);
    let done = 0;
    for (const token of tokens) {
      if (token.start > done) showGap(parent, done, token.start);
      showToken(parent, token, newest, joins);
      done = Math.max(done, token.end);
    }
    const bytes = begins[begins.length - 1];
    if (done < bytes) showGap(parent, done, bytes);
    at("text").replaceChildren(parent);
  };

  const showCounts = (position) => {
    const shown = cut(position), tokens = shown.length, bytes = begins[begins.length - 1];
    const unknown = shown.filter((token) => token.id < 0).length;
    const counted = (n, what) => `${number(n)} ${what}${n === 1 ? "" : "s"}`;
    const parts = [
      counted(characters.length, "character"), counted(bytes, "byte"), counted(tokens, "token"),
    ];
    if (tokens) parts.push(`${(bytes / tokens).toFixed(2)} bytes per token`);
    if (unknown) parts.push(counted(unknown, "unknown character"));
    if (shown.some((token) => text.marked[token.last])) parts.push("</w> = word end");
    else if (characters.includes(" ")) parts.push("· = space");
    at("text-counts").textContent = parts.map((part) => part.replaceAll(" ", "\u00a0")).join(", ");
  };

  // Letters as large as the text leaves room for, where it has no more than the screen: with the
  // tokens of the first position, which take the most.
  const fit = () => {
    const shown = at("text"), box = shown.parentElement;
    const bounded = getComputedStyle(box).overflowY === "auto";
    showText(run.start, false);
    const fits = (size) => {
      shown.style.fontSize = `${size}rem`;
      return box.scrollHeight <= box.clientHeight && box.scrollWidth <= box.clientWidth;
    };
    const most = document.body.classList.contains("embed") ? SIZES[0] : LARGEST_BESIDE;
    if (!bounded) shown.style.fontSize = "";
    else if (![...SIZES.filter((size) => size <= most), ...SMALLER].find(fits)) fits(SIZES.at(-1));
    showText(position, false);
    showCounts(position);
  };

  // -- a text of one's own --------------------------------------------------------------

  // Classes of characters, as the program has them.
  const LETTER = 1, NUMBER = 2, SPACE = 4, UPPER = 16, LOWER = 32, STRIPPED = 128;
  const SPLITS = {
    gpt2: /'(?:[sdmt]|ll|ve|re)| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+/gu,
    cl100k: new RegExp(
      "'(?:[sSſdDmMtT]|[lL][lL]|[vV][eE]|[rR][eE])|[^\\r\\n\\p{L}\\p{N}]?\\p{L}+|\\p{N}{1,3}"
      + "| ?[^\\s\\p{L}\\p{N}]+[\\r\\n]*|\\s+$|\\s*[\\r\\n]|\\s+(?!\\S)|\\s", "gu"),
    o200k: (() => {
      const first = "[^\\r\\n\\p{L}\\p{N}]?";
      const upper = "[\\p{Lu}\\p{Lt}\\p{Lm}\\p{Lo}\\p{M}]";
      const lower = "[\\p{Ll}\\p{Lm}\\p{Lo}\\p{M}]";
      const ending = "(?:'(?:[sSſtTmMdD]|[rR][eE]|[vV][eE]|[lL][lL]))?";
      return new RegExp(
        `${first}${upper}*${lower}+${ending}|${first}${upper}+${lower}*${ending}`
        + "|\\p{N}{1,3}| ?[^\\s\\p{L}\\p{N}]+[\\r\\n/]*|\\s*[\\r\\n]+|\\s+(?!\\S)|\\s+", "gu");
    })(),
    whitespace: /[^\u00a0]+/gu,
    none: /[^]+/gu,
  };

  const classOf = (point) => {
    const { classes } = run.typing;
    let low = 0, high = classes.length / 2 - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (classes[2 * middle] <= point) low = middle; else high = middle - 1;
    }
    return classes[2 * low + 1];
  };

  // A character of the same class that every browser knows; one unit for each.
  const standIn = (character) => {
    const point = character.codePointAt(0), found = classOf(point);
    if (run.typing.split === "whitespace") return found & STRIPPED ? "\u00a0" : "x";
    if ((point >= 9 && point <= 13) || (point >= 32 && point < 127) || character === "ſ") {
      return character;
    }
    if (found & SPACE) return "\u00a0";
    if (found & NUMBER) return "²";
    if (found & UPPER && found & LOWER) return found & LETTER ? "ª" : "\u0300";
    if (found & UPPER) return "À";
    if (found & LOWER) return "à";
    return found & LETTER ? "ª" : "¡";
  };

  const steps = new Map();
  run.left.forEach((left, step) => steps.set(`${left} ${run.right[step]}`, step));

  // The step at which each border within a word vanishes: the earliest merge first, from the left.
  const borders = (ids) => {
    const gone = ids.map(() => -1);
    let parts = ids.map((id, place) => ({ id, place }));
    for (;;) {
      const found = parts.map((part, i) =>
        i + 1 < parts.length ? steps.get(`${part.id} ${parts[i + 1].id}`) ?? Infinity : Infinity);
      const step = found.reduce((least, one) => Math.min(least, one), Infinity);
      if (step === Infinity) return gone;
      const merged = [];
      for (let i = 0; i < parts.length; i++) {
        if (found[i] !== step) {
          merged.push(parts[i]);
        } else {
          gone[parts[i + 1].place] = step;
          merged.push({ id: run.made[step], place: parts[i].place });
          i += 1;
        }
      }
      parts = merged;
    }
  };

  const tokenized = (written) => {
    const shown = written.replace(/[\ud800-\udfff]/gu, "\ufffd");
    const all = [...shown], symbols = { ids: [], starts: [], ends: [], marked: [], removed: [] };
    const { symbols: known, end, bytes } = run.typing;
    const places = [0];
    for (const one of all) places.push(places[places.length - 1] + encoder.encode(one).length);
    const add = (ids, id, from, to, marked) => {
      ids.push(id);
      symbols.starts.push(from);
      symbols.ends.push(to);
      symbols.marked.push(marked);
    };
    for (const word of all.map(standIn).join("").matchAll(SPLITS[run.typing.split])) {
      const ids = [], last = word.index + word[0].length;
      for (let i = word.index; i < last; i++) {
        if (bytes) {
          encoder.encode(all[i]).forEach((byte, k) =>
            add(ids, known[byte] ?? -1, places[i] + k, places[i] + k + 1, 0));
        } else add(ids, known[all[i]] ?? -1, places[i], places[i + 1], 0);
      }
      if (end >= 0) add(ids, end, places[last], places[last], 1);
      symbols.ids.push(...ids);
      symbols.removed.push(...borders(ids));
    }
    return { shown, note: "", marks: run.text.marks, ...symbols };
  };

  // -- pairs, merges and numbers ------------------------------------------------------

  const list = at("pairs");

  // Where bars end, as in the window: with the most frequent pair, or in the first merges where they
  // did until it has less than a fifth of that.
  const STEADY = 50;
  const steadyEnd = (position, greatest) => position > STEADY ? greatest
    : [...run.count.slice(0, position), greatest].reduce(
      (end, count) => count > end || 5 * count < end ? count : end, 0);
  const endOf = (pairs, position) =>
    steadyEnd(position, Math.max(...pairs.map((pair) => pair.count)));
  const lengthOf = (count, end) => `${100 * Math.min(count / end, 1)}%`;

  const writePairs = (position) => {
    const pairs = pairsAt(position), winner = winnerAt(position, pairs);
    const merges = position < run.left.length || !run.stopped ? ", merged next" : "";
    while (list.children.length > pairs.length) list.lastChild.remove();
    while (list.children.length < pairs.length) {
      const row = made("li");
      row.append(made("span", "", "rank"), made("bdi", "", "pair"));
      const lane = made("span");
      lane.append(made("span", "", "bar"));
      row.append(lane, made("span", "", "count"));
      list.append(row);
    }
    const end = endOf(pairs, position);
    pairs.forEach((pair, rank) => {
      const row = list.children[rank], wins = rank === winner;
      const text = pairText(pair.left, pair.right);
      row.className = wins ? "winner" : "";
      row.dataset.left = pair.left;
      row.dataset.right = pair.right;
      row.title = `${text}: ${times(pair.count)}${wins ? merges : ""}`;
      row.children[0].textContent = wins ? "★" : rank + 1;
      row.children[0].setAttribute("aria-label", wins ? `Rank ${rank + 1}${merges}` : rank + 1);
      row.children[1].textContent = text;
      row.children[2].firstChild.style.width = lengthOf(pair.count, end);
      row.children[3].textContent = number(pair.count);
    });
    at("next").hidden = !merges || !pairs.length;
    at("next").textContent = "★ merged next";
    at("no-pairs").hidden = pairs.length > 0;
  };

  const still = matchMedia("(prefers-reduced-motion: reduce)");
  const nameOf = (pair) => `${pair.left} ${pair.right}`;
  const barOf = (row) => row.children[2].firstChild;
  let settling = 0, joining = 0;

  // The ranks whose rows slide from the ranks before, none past another; the others appear then.
  const sliding = (before) => {
    let longest = [];
    const chains = [];
    before.forEach((start, rank) => {
      if (start < 0) return;
      const above = chains.filter((chain) => before[chain.at(-1)] < start);
      const most = above.reduce((one, other) => other.length > one.length ? other : one, []);
      chains.push([...most, rank]);
      if (most.length >= longest.length) longest = chains.at(-1);
    });
    return new Set(longest);
  };

  // What a merge does to the bars, as in the window: that of the merged pair runs empty, those of
  // pairs that lost occurrences get shorter, with the counts before and after, and what is new comes
  // out of the merged pair's bar. Then the rows go to their places.
  const drainPairs = (position, duration) => {
    const former = pairsAt(position - 1), winner = winnerAt(position - 1, former);
    const pairs = pairsAt(position), token = run.made[position - 1];
    const counts = new Map(pairs.map((pair) => [nameOf(pair), pair.count]));
    const end = endOf(former, position - 1), allKnown = pairs.length < MOST;
    const eased = { duration, easing: "ease-in-out", fill: "forwards" };
    const source = list.children[winner], widths = new Map();
    former.forEach((pair, rank) => {
      const row = list.children[rank];
      const left = rank === winner ? 0 : counts.get(nameOf(pair)) ?? (allKnown ? 0 : pair.count);
      const width = lengthOf(left, end);
      widths.set(nameOf(pair), { rank, width });
      barOf(row).animate([{ width: barOf(row).style.width }, { width }], eased);
      if (left < pair.count) {
        // Beside the number, however much wider the column is.
        const after = made("span", undefined, "after");
        after.append(made("span", `${number(pair.count)}→`, "before"), number(left));
        row.children[3].replaceChildren(after);
      }
    });
    pairs.forEach((pair, rank) => {
      if (widths.has(nameOf(pair)) || (pair.left !== token && pair.right !== token)) return;
      const drop = made("span", undefined, "drop"), width = lengthOf(pair.count, end);
      // Between two rows, where it comes: on a row it would seem to be that one's.
      const down = Math.max(0, rank - winner - 0.5) * source.offsetHeight;
      widths.set(nameOf(pair), { rank, width });
      drop.style.width = width;
      source.children[2].append(drop);
      // There it gets thinner, or it would seem to stay.
      const there = `translateY(${down}px)`;
      drop.animate([
        { transform: "none" }, { transform: there, offset: 0.75 },
        { transform: `${there} scaleY(0)` },
      ], eased);
    });
    at("next").textContent = "★ merged now";
    joining = setTimeout(() => tell(position), JOIN * duration);
    settling = setTimeout(() => {
      settlePairs(position);
      tell(position);
      const slide = sliding(pairs.map((pair) => widths.get(nameOf(pair))?.rank ?? -1));
      pairs.forEach((pair, rank) => {
        const before = widths.get(nameOf(pair)), row = list.children[rank];
        if (!slide.has(rank)) {
          row.animate([{ opacity: 0 }, { opacity: 0, offset: 0.6 }, { opacity: 1 }], SETTLED);
          return;
        }
        const away = (before.rank - rank) * row.offsetHeight;
        row.animate([
          { transform: `translateY(${away}px)` }, { transform: "none", offset: 0.6 },
          { transform: "none" },
        ], SETTLED);
        barOf(row).animate([{ width: before.width }, { width: barOf(row).style.width }], SETTLED);
      });
    }, duration);
  };

  const settlePairs = (position) => {
    clearTimeout(settling);
    clearTimeout(joining);
    list.getAnimations({ subtree: true }).forEach((animation) => animation.cancel());
    list.querySelectorAll(".drop").forEach((drop) => drop.remove());
    writePairs(position);
  };

  // What counts changes in one moment with the chart: when the tokens join.
  const tell = (position) => {
    at("place").textContent = `${number(position)} / ${number(run.stop)}`;
    showCounts(position);
    showMerges(position);
    showNumbers(position);
  };

  // `duration` is for how long a step is seen, 0 for not at all.
  const showPairs = (position, duration) => {
    const moves = duration && !still.matches && winnerAt(position - 1, pairsAt(position - 1)) >= 0;
    settlePairs(moves ? position - 1 : position);
    tell(moves ? position - 1 : position);
    if (moves) drainPairs(position, duration);
  };

  const showMerges = (position) => {
    const rows = [];
    for (let step = position - 1; step >= 0 && rows.length < NEWEST; step--) {
      const { left, right, made: token, count } = merge(step);
      const row = made("tr");
      row.append(made("td", number(step + 1)), made("td", label(token)));
      row.append(made("td", pairText(left, right)), made("td", number(run.ids[token])));
      row.append(made("td", number(count)));
      rows.push(row);
    }
    at("merges").replaceChildren(...rows);
    at("no-merges").hidden = position > 0;
  };

  const story = (position) => {
    if (position === 0) return "Start: no merges yet";
    const { left, right, made: token, count } = merge(position - 1);
    const made_ = `${pairText(left, right)} → \u2068${label(token)}\u2069`;
    return `Merge ${number(position)}: ${made_}, ${times(count)}`;
  };

  const sizes = [run.base];
  for (const token of run.made) sizes.push(Math.max(sizes[sizes.length - 1], token + 1));

  const showNumbers = (position) => {
    const tokens = run.tokens[position - run.start];
    at("tokens").textContent = number(tokens);
    at("bytes-per-token").textContent = tokens ? (run.bytes / tokens).toFixed(2) : "–";
    at("distinct").textContent = number(run.distinct[position - run.start]);
    at("vocabulary").textContent = number(sizes[position]);
  };

  // -- moving -------------------------------------------------------------------------

  const slider = at("slider"), play = at("play"), speed = at("speed");
  let position = run.start, timer = 0, before = run.start;
  // A long run is on a logarithmic scale, as on the timeline: its first merges tell most.
  const merges = run.stop - run.start, logarithmic = merges > MANY;
  const placeOf = (where) => logarithmic
    ? Math.round(PLACES * Math.log1p(where - run.start) / Math.log1p(merges)) : where;
  const positionAt = (place) => logarithmic
    ? run.start + Math.round(Math.expm1(place / PLACES * Math.log1p(merges))) : place;

  // As in the window: the first merges can be read one by one.
  const rate = () => {
    const done = position - run.start, [first, growth, most, slope] = run.pace;
    return Number(speed.value) || Math.min(first + done ** 2 / growth, most + done / slope);
  };

  const show = () => {
    // Faster than that, states follow each other.
    const joins = position === before + 1 && (!timer || rate() <= 5);
    before = position;
    slider.value = placeOf(position);
    slider.setAttribute("aria-valuetext", story(position));
    // What changes many times a second is not read out.
    at("story").setAttribute("aria-live", timer ? "off" : "polite");
    at("story").textContent = story(position);
    at("home").disabled = at("back").disabled = position === run.start;
    at("end").disabled = at("step").disabled = position === run.stop;
    const spare = timer ? 1000 / rate() : Infinity;
    const duration = joins ? Math.min(DRAIN, DRAIN_SHARE * spare) : 0;
    document.body.style.setProperty("--motion", `${duration}ms`);
    showPairs(position, duration);
    showText(position, joins);
  };

  const go = (where) => {
    position = Math.min(Math.max(where, run.start), run.stop);
    show();
  };

  const pause = () => {
    clearInterval(timer);
    timer = 0;
    play.textContent = "Play";
    play.title = "Play (Space)";
  };

  const beat = () => {
    const steady = Number(speed.value), interval = steady ? Math.max(1000 / steady, 40) : 40;
    let due = 0;
    timer = setInterval(() => {
      due += rate() * interval / 1000;
      const merges = Math.floor(due + 1e-9);
      due -= merges;
      if (position + merges >= run.stop) pause();
      if (merges) go(position + merges);
    }, interval);
  };

  const start = () => {
    if (run.start === run.stop) return;
    play.textContent = "Pause";
    play.title = "Pause (Space)";
    beat();
    go(position === run.stop ? run.start : position + 1);
    if (position === run.stop) pause();
  };

  const toggle = () => {
    if (timer) {
      pause();
      show();
    } else start();
  };
  const seek = (where) => {
    pause();
    go(where);
  };
  const change = (by) => {
    // From a replay that gets ever faster on from the rate that it has now.
    const now = Number(speed.value) ? speed.selectedIndex
      : SPEEDS.findLastIndex((each) => each && each <= rate());
    speed.selectedIndex = Math.min(Math.max(now + by, 1), SPEEDS.length - 1);
    retime();
  };
  const retime = () => {
    if (!timer) return;
    clearInterval(timer);
    beat();
  };

  // Page Up and Page Down are what clickers send: they step, as on the stage of the program.
  const leap = Math.max(1, Math.round((run.stop - run.start) / 20));
  const keys = {
    " ": toggle, ArrowRight: () => seek(position + 1), ArrowLeft: () => seek(position - 1),
    Home: () => seek(run.start), End: () => seek(run.stop),
    PageDown: () => seek(position + 1), PageUp: () => seek(position - 1),
    "+": () => change(1), "-": () => change(-1),
  };
  const leaps = { ArrowRight: leap, ArrowLeft: -leap };
  // By itself it would move by a place, in which there may be no merge or many.
  const onSlider = { ArrowUp: keys.ArrowRight, ArrowDown: keys.ArrowLeft };
  slider.addEventListener("keydown", (event) => {
    if (!Object.hasOwn(onSlider, event.key)) return;
    event.preventDefault();
    onSlider[event.key]();
  });
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey || !Object.hasOwn(keys, event.key)) return;
    const name = event.target.localName;
    if (name === "textarea" || name === "select" || (name === "button" && event.key === " ")) return;
    event.preventDefault();
    if (event.shiftKey && event.key in leaps) seek(position + leaps[event.key]);
    else keys[event.key]();
  });

  at("home").addEventListener("click", keys.Home);
  at("back").addEventListener("click", keys.ArrowLeft);
  at("step").addEventListener("click", keys.ArrowRight);
  at("end").addEventListener("click", keys.End);
  play.addEventListener("click", toggle);
  slider.addEventListener("input", () => seek(positionAt(Number(slider.value))));
  speed.addEventListener("change", retime);

  for (const each of SPEEDS) {
    const slow = each ? "1 in 2 seconds" : "Ever faster";
    const option = made("option", each < 1 ? slow : `${each} a second`);
    option.value = each;
    speed.append(option);
  }
  slider.min = placeOf(run.start);
  slider.max = placeOf(run.stop);
  slider.disabled = play.disabled = run.start === run.stop;
  // Of the address: #merge=120 is the place to begin at, #embed leaves the text, Play and the
  // timeline.
  const asked = () => new URLSearchParams(`${location.search.slice(1)}&${location.hash.slice(1)}`);
  const obey = () => {
    document.body.classList.toggle("embed", asked().has("embed"));
    fit();
    const where = asked().get("merge") ?? "";
    if (/^[0-9]+$/.test(where)) seek(Number(where));
  };
  addEventListener("hashchange", obey);
  addEventListener("resize", fit);
  at("about").textContent = run.about;
  at("text-note").textContent = run.text.note;
  at("text-note").hidden = !run.text.note;
  at("own").hidden = !run.typing;
  at("no-typing").hidden = Boolean(run.typing);
  at("typed").value = run.text.shown;
  at("typed").addEventListener("input", () => {
    take(tokenized(at("typed").value));
    at("text-note").hidden = true;
    fit();
  });
  show();
  obey();
})();
