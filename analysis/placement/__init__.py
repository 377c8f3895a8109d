"""Where a link goes: the sentence, the words in it, and the proof on the page's own bytes."""
