"""A gardening site of 500 articles written from a grammar: forty plants, twelve questions, ten articles written twice.

Every article is a plant and a question; the sentences of a question come in several wordings, each plant has facts of its own,
and titles follow several patterns, so that neighbours share a plant or a question as they do on real sites. Everything is drawn
from one seed. Competitors are the same plant and question by "another author": other title, other wordings, other order.
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import TYPE_CHECKING

from analysis.records import PageHead

if TYPE_CHECKING:
    from collections.abc import Callable

PLANTS = {
    "tomatoes": ("blossom end rot", "sun-ripened fruit", "a sturdy cage", "San Marzano", "calcium"),
    "roses": ("black spot", "a rambling hedge", "long thorny canes", "Gertrude Jekyll", "bone meal"),
    "lavender": ("woody stems", "dry banks", "a chalky bed", "Hidcote", "sharp sand"),
    "blueberries": ("birds in July", "acid soil", "a peat-free pot", "Bluecrop", "pine needles"),
    "potatoes": ("late blight", "chitted seed", "ridged rows", "Charlotte", "well-rotted manure"),
    "strawberries": ("grey mould", "runners", "a bed of straw", "Cambridge Favourite", "potash"),
    "cucumbers": ("powdery mildew", "climbing vines", "a string trellis", "Marketmore", "seaweed extract"),
    "apple trees": ("codling moth", "spurs", "a grafted rootstock", "Egremont Russet", "tree ties"),
    "garlic": ("rust", "fat cloves", "a frosty winter", "Solent Wight", "wood ash"),
    "hydrangeas": ("faded mopheads", "blue flowers", "dappled shade", "Annabelle", "aluminium sulphate"),
    "basil": ("cold nights", "pinched tips", "a kitchen windowsill", "Genovese", "liquid feed"),
    "carrots": ("root fly", "forked roots", "stone-free soil", "Nantes", "fine sand"),
    "onions": ("white rot", "sets", "firm ground", "Sturon", "sulphate of potash"),
    "pumpkins": ("soft necks", "huge leaves", "a compost heap", "Crown Prince", "cardboard mulch"),
    "peppers": ("aphids", "glossy pods", "a warm greenhouse", "Padron", "tomato food"),
    "raspberries": ("cane blight", "suckers", "post and wire", "Autumn Bliss", "leaf mould"),
    "tulips": ("tulip fire", "papery bulbs", "a gritty trench", "Queen of Night", "grit"),
    "dahlias": ("earwigs", "knobbly tubers", "a dark frost-free shed", "Bishop of Llandaff", "canes and twine"),
    "orchids": ("shrivelled pseudobulbs", "aerial roots", "a steamy bathroom", "Phalaenopsis", "bark chips"),
    "succulents": ("etiolated rosettes", "plump leaves", "a south window", "Echeveria", "pumice"),
    "olive trees": ("scale insects", "silvery leaves", "a terracotta pot", "Arbequina", "limestone"),
    "lemon trees": ("leaf drop", "fragrant blossom", "a conservatory", "Meyer", "citrus fertiliser"),
    "rhubarb": ("crown rot", "forced stalks", "an upturned bucket", "Timperley Early", "stable manure"),
    "asparagus": ("the asparagus beetle", "feathery ferns", "a permanent ridge", "Gijnlim", "rock salt"),
    "spinach": ("bolting", "baby leaves", "a cool frame", "Medania", "nitrogen"),
    "kale": ("cabbage whites", "curly leaves", "a netted cage", "Nero di Toscana", "garden lime"),
    "peas": ("pea moth", "tendrils", "hazel sticks", "Kelvedon Wonder", "guttering"),
    "runner beans": ("dry flowers", "scarlet blossom", "a wigwam of canes", "Scarlet Emperor", "a trench of newspaper"),
    "figs": ("split fruit", "restricted roots", "a hot brick wall", "Brown Turkey", "rubble"),
    "grapes": ("botrytis", "tight bunches", "a cordon", "Phoenix", "slate chippings"),
    "clematis": ("clematis wilt", "twining leaf stalks", "shaded feet", "Nelly Moser", "a slanting planting hole"),
    "peonies": ("peony wilt", "fat red buds", "shallow planting", "Sarah Bernhardt", "a wire hoop"),
    "fuchsias": ("gall mites", "dangling bells", "a hanging basket", "Mrs Popple", "slow-release granules"),
    "ferns": ("brown fronds", "spores", "a north-facing corner", "the soft shield fern", "leaf litter"),
    "bamboo": ("runaway rhizomes", "rustling culms", "a root barrier", "Fargesia", "lawn clippings"),
    "heather": ("dieback", "winter bells", "a moorland bank", "Springwood White", "ericaceous compost"),
    "geraniums": ("vine weevil grubs", "zonal leaves", "a window box", "Maverick", "perlite"),
    "mint": ("mint rust", "creeping roots", "a sunken bucket", "Moroccan mint", "a damp corner"),
    "sunflowers": ("slugs on seedlings", "nodding heads", "a sheltered fence", "Russian Giant", "bamboo stakes"),
    "water lilies": ("duckweed", "floating pads", "an aquatic basket", "Marliacea", "pond pellets"),
}

QUESTIONS: dict[str, tuple[tuple[str, ...], tuple[tuple[str, ...], ...]]] = {
    "watering": (
        ("How often to water {p}", "Watering {p}: how much and how often", "How much water do {p} need?"),
        (
            (
                "A deep soak twice a week does {p} more good than a daily sprinkle.",
                "{P} want a can of water every three days, poured slowly.",
                "Give {p} a generous drink two times a week instead of a splash every evening.",
            ),
            (
                "Push a finger into the soil: if it is dry to the second knuckle, water.",
                "Test the ground with your finger before reaching for the hose.",
                "Dry soil an inch down is the sign that the can is due.",
            ),
            (
                "Too much water brings {0}, too little costs you {1}.",
                "Irregular watering invites {0}.",
                "Thirst one week and a flood the next lead to {0}.",
            ),
            (
                "Water in the early morning, at the foot of the plant.",
                "Morning is the time, and leaves should stay dry.",
                "Aim the rose at the roots before the sun is high.",
            ),
            (
                "In {2} a mulch of {4} halves the work.",
                "A layer of {4} keeps the moisture in.",
                "Where there is {2}, moisture goes quickly, so mulch with {4}.",
            ),
        ),
    ),
    "pruning": (
        ("When and how to prune {p}", "Pruning {p} without fear", "How to cut back {p}"),
        (
            (
                "Take the secateurs to {p} in late winter, before the sap rises.",
                "The cut comes at the end of winter, while {p} sleep.",
                "Late February is when {p} are pruned.",
            ),
            (
                "Remove dead, diseased and crossing growth first.",
                "Begin with whatever is dead, damaged or rubbing.",
                "First goes the dead wood, then what crosses.",
            ),
            (
                "Cut above an outward-facing bud, at a slant.",
                "A slanting cut just over a bud sheds the rain.",
                "Every cut ends a finger's width above a bud that looks outwards.",
            ),
            (
                "Hard pruning gives {1}, but open wounds let in {0}.",
                "Clean blades keep {0} out.",
                "Wipe the blades with spirit, or you spread {0}.",
            ),
            ("{3} needs hardly any cutting in {2}.", "Leave {3} longer than the rest.", "With {3} a light trim is enough."),
        ),
    ),
    "pests": (
        ("Pests and diseases of {p}", "What is eating my {p}?", "How to keep {p} free of pests"),
        (
            ("The worst enemy of {p} is {0}.", "Nothing spoils {p} faster than {0}.", "Growers of {p} fear {0} above all."),
            (
                "Look under the leaves once a week with a torch.",
                "A weekly inspection, undersides included, catches most trouble.",
                "Turn the leaves over every Sunday.",
            ),
            (
                "Ladybirds and lacewings do the work for nothing.",
                "Encourage birds and beetles before you spray.",
                "Natural predators beat any bottle.",
            ),
            (
                "Strip off infected parts and burn them; never compost them.",
                "Whatever is infected goes into the bin, not on the heap.",
                "Bag and bin diseased growth.",
            ),
            (
                "{3} is said to resist infection, and {4} helps.",
                "Choose {3} if the problem returns each year.",
                "Resistant sorts such as {3} save much grief.",
            ),
        ),
    ),
    "feeding": (
        ("The best fertiliser for {p}", "Feeding {p} through the season", "What to feed {p} and when"),
        (
            (
                "Hungry {p} show it by pale leaves.",
                "Yellowing between the veins tells you that {p} want food.",
                "{P} that turn pale are starving.",
            ),
            ("Start in April with {4}.", "The first ration, in spring, is {4}.", "A spring dressing of {4} sets them up."),
            (
                "Later on a high-potash feed every fortnight brings {1}.",
                "Switch to potash once buds show.",
                "From bud time on feed every second week for {1}.",
            ),
            (
                "Stop feeding in September, or soft growth meets the frost.",
                "No nitrogen after summer.",
                "End the feeding as nights grow cold.",
            ),
            ("Overfeeding is a common cause of {0}.", "A rich diet and {0} go together.", "More is not better: it ends in {0}."),
        ),
    ),
    "planting": (
        ("How to plant {p} step by step", "Planting {p}: depth, spacing and timing", "When to plant out {p}"),
        (
            (
                "Dig a hole twice as wide as the root ball of your {p}.",
                "{P} go into a wide hole, not a deep one.",
                "Make room for the roots of {p}: double the width of the pot.",
            ),
            ("Work {4} into the bottom.", "Mix the soil with {4}.", "A spadeful of {4} under the roots is well spent."),
            ("Firm with your heel and water in.", "Tread gently and soak the ground.", "Settle the soil with a full can."),
            ("A position with {2} suits them.", "They thrive with {2}.", "Think of {2} when you choose the place."),
            ("{3} can stand closer than others.", "Give {3} forty centimetres.", "Allow {3} an arm's length on every side."),
        ),
    ),
    "containers": (
        ("Growing {p} in pots", "Can {p} grow in containers?", "{P} on the balcony"),
        (
            (
                "A pot of forty litres is the least for {p}.",
                "{P} need a tub as wide as your elbow is long.",
                "Choose a roomy container for {p}.",
            ),
            (
                "Drainage holes decide between life and death.",
                "Without holes in the base roots drown.",
                "Drill extra holes and stand the pot on feet.",
            ),
            ("Fill it with compost, a third of it {4}.", "Blend the compost with {4}.", "{4} keeps the mixture open."),
            ("Balcony wind dries faster than sun.", "On a roof the wind is the problem.", "Shelter the tub from draughts."),
            ("{3} stays small and is made for this.", "Compact sorts like {3} do best.", "Go for {3} where space is short."),
        ),
    ),
    "propagation": (
        ("How to propagate {p}", "New {p} for free: cuttings, seeds and division", "Raising {p} from cuttings"),
        (
            (
                "One healthy mother gives a dozen young {p}.",
                "Multiplying {p} costs nothing but patience.",
                "You need never buy {p} again.",
            ),
            (
                "Take material in the morning, when it is full of sap.",
                "Cut early in the day with a razor blade.",
                "Morning material roots best.",
            ),
            ("Set it in {4} under a clear bag.", "A jar over {4} makes a nursery.", "Root it in a tray with {4}."),
            (
                "After five weeks you will feel resistance when you tug.",
                "Roots show in a month or so.",
                "Wait until new leaves appear before you move them.",
            ),
            ("{3} comes true, most others do not.", "With {3} it never fails.", "Begin with {3}, the easiest."),
        ),
    ),
    "winter": (
        ("Protecting {p} from frost", "How to overwinter {p}", "{P} in winter: what to do before the cold comes"),
        (
            (
                "The first frost catches {p} unprepared.",
                "{P} suffer more from wet than from cold in winter.",
                "A clear November night may kill {p}.",
            ),
            (
                "Wrap with two layers of fleece, never with plastic.",
                "Fleece breathes, film does not.",
                "Horticultural fleece is the blanket of choice.",
            ),
            ("Pile {4} over the roots.", "A mound of {4} keeps the root zone above zero.", "Heap up {4} in November."),
            (
                "Move pots against the house wall.",
                "The lee of the house is worth three degrees.",
                "Bring containers close to the wall.",
            ),
            ("{3} stands minus ten, others do not.", "Only {3} shrugs it off.", "{3} is the hardiest we know."),
        ),
    ),
    "harvest": (
        ("When to pick {p}", "Harvesting and storing {p}", "How to tell that {p} are ready"),
        (
            (
                "Colour alone does not tell when {p} are ready.",
                "The right day for {p} is felt, not seen.",
                "Patience pays: {p} gain most in the last week.",
            ),
            ("Pick on a dry day and handle gently.", "Dry weather and soft hands make them keep.", "Never gather after rain."),
            (
                "Cool, dark and airy is how they last.",
                "A slatted box in the cellar is ideal.",
                "Store them in the dark with air on all sides.",
            ),
            ("Sort out anything with {0}.", "One piece with {0} spoils the box.", "Discard what shows {0}."),
            ("{3} keeps longest.", "For storing choose {3}.", "{3} is the one to lay up."),
        ),
    ),
    "varieties": (
        ("The best varieties of {p}", "Which {p} should you grow?", "Our favourite {p} for small gardens"),
        (
            ("Catalogues list hundreds of {p}; you need three.", "The choice of {p} is bewildering.", "Nobody can try all {p}."),
            ("{3} has won every one of our trials.", "Our first choice remains {3}.", "{3} heads the list for the tenth year."),
            (
                "Old sorts taste of more, new ones resist more.",
                "Modern breeding brought health, heritage brings character.",
                "Heirlooms charm, hybrids deliver.",
            ),
            ("For {2} look for a compact habit.", "Where you have {2}, size matters.", "Compact plants fit {2}."),
            (
                "If {0} is rife near you, ask for resistance.",
                "Resistance to {0} is worth a premium.",
                "Labels should mention {0}.",
            ),
        ),
    ),
    "companions": (
        ("Companion plants for {p}", "What grows well next to {p}", "Good and bad neighbours of {p}"),
        (
            ("Marigolds beside {p} are more than decoration.", "{P} like company.", "Put chives near {p} and watch."),
            ("Scent confuses insects that hunt by smell.", "Strong smells hide the crop.", "Mixed smells lead pests astray."),
            ("Keep fennel away from everything.", "Fennel is nobody's friend.", "Plant fennel in exile."),
            (
                "Neighbours with deep roots leave the upper soil free.",
                "Shallow and deep roots share a bed in peace.",
                "Combine rooting depths.",
            ),
            ("Less {0} was seen in mixed beds.", "In our mixed bed {0} fell by half.", "Variety holds {0} in check."),
        ),
    ),
    "mistakes": (
        ("Common mistakes with {p}", "Why do my {p} fail?", "What everyone gets wrong about {p}"),
        (
            (
                "Most failures with {p} are made in the first week.",
                "{P} die of kindness.",
                "Beginners lose {p} for the same few reasons.",
            ),
            (
                "They are set too deep, or too close.",
                "Crowding is the classic error.",
                "The planting hole was a flower pot in clay.",
            ),
            ("Nobody looked for {0} until it was too late.", "{0} went unnoticed.", "By the time you see {0}, weeks are lost."),
            (
                "The label said {2}, the garden said otherwise.",
                "They wanted {2} and got the opposite.",
                "Without {2} do not even try.",
            ),
            ("Start again with {3}.", "{3} forgives almost everything.", "A second try with {3} usually works."),
        ),
    ),
}

OPENINGS = (
    "Every spring the same letter reaches us.",
    "My grandmother had no doubts about this.",
    "It took me five seasons to learn this.",
    "A reader from Leeds asked about this.",
    "There is much advice about and little of it tested.",
    "We kept notes for three years.",
    "The allotment next door taught us this.",
    "In our climate the textbook rarely applies.",
    "This is the question I hear most at open days.",
)
ASIDES = (
    "Write the date on a label.",
    "Gloves are worth their price.",
    "The weather will overrule any calendar.",
    "Photograph the bed each month.",
    "A sharp tool is a safe tool.",
    "Neighbours swap what they have too much of.",
    "Rain water beats tap water.",
    "Clay soils take longer to warm.",
    "Children love to help with this.",
    "Keep a notebook in the shed.",
    "Cheap tools cost more in the end.",
    "Our soil is heavy and we cope.",
)


PROFILE = (
    ("{P} owe their fame to {1}.", "We grow {p} for {1}.", "What we want from {p} is {1}."),
    ("The sort in our garden is {3}.", "Ours is {3}, bought at a village fair.", "For years we have kept to {3}."),
    ("With {2} the {p} are half way there.", "All that {p} ask for is {2}.", "Half the secret of {p} is {2}."),
)
VISITS = {
    "Sissinghurst": "The white garden is best at dusk, when the tower is closed and the coaches have gone home to London.",
    "Kew": "The palm house smells of rain; a spiral stair leads up to where the crowns press against the glass.",
    "Bodnant": "The laburnum tunnel lasts two weeks a year, and the car park fills before ten in the morning.",
    "the Chelsea show": "Queues, champagne and a gold medal for a garden made of rusty steel and one birch.",
    "a seed library": "A cupboard in the town hall holds nine hundred packets, each returned with interest by its borrowers.",
}

# Five series, each with a title of its own kind and a body of its own.
SERIES = (
    "A year with {p}, part {n}: {name}",
    "{P} diary, week {n}",
    "{P} trial report {year}",
    "Lesson {n} of our {p} course: {name}",
    "Photographing {p} ({n}/5)",
)
CHAPTERS = (
    (
        "the sill",
        "The propagator hums on the sill and nothing shows yet. We sowed twelve rows and marked each with a lolly stick.",
    ),
    ("the frame", "The cold frame was opened by day and shut at five. A fox walked over the glass and broke one pane."),
    ("the bed", "Out they went on a grey afternoon between two showers. The string was straight, the rows are not."),
    (
        "the wait",
        "Nothing happened for a fortnight and we painted the shed instead. The paint is called Railings and is nearly black.",
    ),
    ("the table", "Eleven friends came, the long table stood under the walnut and the last of it was eaten by candlelight."),
)


@dataclass(frozen=True)
class Article:
    head: PageHead
    text: str


@dataclass(frozen=True)
class Site:
    articles: tuple[Article, ...]
    competing: frozenset[tuple[int, int]]
    series: tuple[tuple[int, ...], ...]
    translations: tuple[tuple[int, int], ...]


def build_site(seed: int = 7) -> Site:
    """500 pages: 455 of one plant and question each, 10 second versions, 5 series of 5 parts, 5 translations into Spanish."""
    draw = random.Random(seed)
    articles: list[Article] = []

    def add(title: str, text: str, language: str = "en", group: int = -1) -> int:
        slug = "-".join("".join(char if char.isalnum() else " " for char in title.lower()).split())
        index = len(articles)
        head = PageHead(index, f"https://garden.example/{language}/{slug}-{index}/", title, title, language, None, group)
        articles.append(Article(head, text))
        return index

    pairs = [(plant, question) for plant in PLANTS for question in QUESTIONS]
    draw.shuffle(pairs)
    chosen = pairs[:455]
    first = {}
    for number, (plant, question) in enumerate(chosen):
        group = number if number < 5 else -1
        first[plant, question] = add(*_write(draw, plant, question, pattern=draw.randrange(3)), group=group)
    translations = tuple((n, add(*_spanish(*chosen[n]), language="es", group=n)) for n in range(5))
    competing = set()
    for plant, question in chosen[100:110]:
        index = first[plant, question]
        titles, _ = QUESTIONS[question]
        old = [title.format(p=plant, P=plant.capitalize()) for title in titles].index(articles[index].head.title)
        other = add(*_write(draw, plant, question, pattern=(old + draw.choice((1, 2))) % 3))
        competing.add((index, other))
    series = tuple(tuple(_add_series(draw, add, plant, pattern)) for plant, pattern in zip(list(PLANTS)[:5], SERIES, strict=True))
    for garden, text in VISITS.items():
        add(f"A visit to {garden}", text)
    return Site(tuple(articles), frozenset(competing), series, translations)


def _write(draw: random.Random, plant: str, question: str, pattern: int) -> tuple[str, str]:
    """An article of some fifteen sentences: every point of the question in two wordings of three, in an order of its own."""
    titles, points = QUESTIONS[question]
    lines = [draw.choice(wordings) for wordings in PROFILE]
    for wordings in points:
        lines += draw.sample(wordings, 2)
    lines += draw.sample(ASIDES, 3)
    draw.shuffle(lines)
    text = " ".join([draw.choice(OPENINGS), draw.choice(points[0]), *lines])
    text = text.format(*PLANTS[plant], p=plant, P=plant.capitalize())
    return titles[pattern].format(p=plant, P=plant.capitalize()), text


def _add_series(draw: random.Random, add: Callable[[str, str], int], plant: str, pattern: str) -> list[int]:
    parts = []
    for number, (name, text) in enumerate(CHAPTERS, start=1):
        title = pattern.format(p=plant, P=plant.capitalize(), n=number, name=name, year=2019 + number)
        parts.append(add(title, " ".join([f"This is our record of {plant}.", text, *draw.sample(ASIDES, 2)])))
    return parts


def _spanish(plant: str, question: str) -> tuple[str, str]:
    """A translation need not be good to be one; what matters is that it is about the same plant and question."""
    pest, fruit, place, variety, food = PLANTS[plant]
    text = (
        f"Muchos lectores preguntan por {plant} y por {question}. En {place} conviene añadir {food} y vigilar {pest}. "
        f"La variedad {variety} es la más agradecida y da {fruit}. Riegue por la mañana y anote todo en un cuaderno."
    )
    return f"{plant.capitalize()}: guía de {question}", text
