/* Overhill & Underdale, one run after another: the policy `plain` against groups without special abilities.

   Written from the rule text and the draw points of the game's README; rule ids stand where they are played. What a
   fight may be is said in overhill.py, which fills the tables and refuses everything else. Sets of heroes are bits of a
   word: hero h is 1 << h. */

#include <string.h>

#include "luck.h"

enum { MOST_HEROES = 12, MOST_GROUPS = 12 };
enum { WARRIOR, ROGUE, PRIEST, MAGIC_USER };
enum { NO_WEAPON, EDGED, BLUNT };
enum { MELEE, SHOT, CASTING, MISHAP, DART, TARGET, DEFENCE, PURPOSES };

typedef struct {
    int32_t calling, level, vigor, quick, smart, health, blade, missile, shield_wall;
} Hero;

typedef struct {
    int32_t number, melee, range, defence, blunt_defence; /* without a blunt defence: the plain one again */
} Group;

typedef struct {
    uint64_t purposes[PURPOSES];
    int32_t heroes, groups, rear_ratio, per_front, front_max, round_cap; /* front_max: 0 for none */
    Hero hero[MOST_HEROES];
    Group group[MOST_GROUPS];
} OverhillFight;

typedef struct {
    const OverhillFight *fight;
    uint64_t key;
    unsigned standing, rear, walls; /* sets of heroes */
    int round, monsters;
    int health[MOST_HEROES], blocked[MOST_HEROES]; /* blocked: the round in which no spell can be cast */
    int left[MOST_GROUPS];
    int kills[MOST_GROUPS][MOST_HEROES], kills_before[MOST_GROUPS][MOST_HEROES]; /* OU-U7 */
} Run;

static inline int how_many(unsigned heroes) { return __builtin_popcount(heroes); }

/* OU-S4 */
static inline int in_front(const Group *group) { return group->range <= group->melee; }

/* OU-U6: every standing front hero counts once, with Shield Wall twice. */
static inline int front_weight(const Run *run)
{
    unsigned front = run->standing & ~run->rear;
    return how_many(front) + how_many(front & run->walls);
}

/* OU-P2 */
static inline int covered(const OverhillFight *fight, int weight)
{
    return weight * fight->rear_ratio / fight->per_front;
}

/* ------------------------------------------------------------------------------------------------------ formation */

static int attacks_from_rear(const Hero *hero)
{
    return hero->calling == MAGIC_USER || hero->missile != NO_WEAPON;
}

/* The standard formation: who stands in the rear as the fight begins (OU-S6). */
static unsigned standard_formation(const OverhillFight *fight)
{
    static const int by_class[] = {MAGIC_USER, ROGUE, PRIEST, WARRIOR};
    unsigned rear = 0;
    int weight = 0;
    for (int h = 0; h < fight->heroes; h++)
        weight += 1 + fight->hero[h].shield_wall;
    for (int turn = 0; turn < 3; turn++)
        for (int h = 0; h < fight->heroes; h++) {
            const Hero *hero = &fight->hero[h];
            int without = weight - 1 - hero->shield_wall;
            if (hero->calling != by_class[turn] || !attacks_from_rear(hero))
                continue;
            if (how_many(rear) + 1 <= covered(fight, without)) {
                rear |= 1u << h;
                weight = without;
            }
        }
    for (int turn = 0; turn < 4 && fight->front_max; turn++)
        for (int h = 0; h < fight->heroes; h++)
            if (fight->hero[h].calling == by_class[turn] && fight->heroes - how_many(rear) > fight->front_max)
                rear |= 1u << h;
    return rear;
}

/* OU-P5: while the rear is too large, its healthiest hero steps up. */
static void step_up(Run *run)
{
    const OverhillFight *fight = run->fight;
    for (;;) {
        unsigned waiting = run->standing & run->rear;
        int in_front_now = how_many(run->standing & ~run->rear), healthiest = -1;
        if (how_many(waiting) <= covered(fight, front_weight(run)))
            return;
        if (fight->front_max && in_front_now >= fight->front_max)
            return;
        for (int h = 0; h < fight->heroes; h++)
            if (waiting >> h & 1 && (healthiest < 0 || run->health[h] > run->health[healthiest]))
                healthiest = h;
        run->rear &= ~(1u << healthiest);
    }
}

/* --------------------------------------------------------------------------------------------------------- heroes */

/* OU-A1: one hit for every time the defence fits into the total, which must lie above it. */
static inline int hits(int total, int defence) { return total > defence ? total / defence : 0; }

static void attack(Run *run, int h, int g, int total, int weapon)
{
    const Group *group = &run->fight->group[g];
    int removed = hits(total, weapon == BLUNT ? group->blunt_defence : group->defence);
    if (removed > run->left[g])
        removed = run->left[g];
    run->left[g] -= removed;
    run->monsters -= removed;
    run->kills[g][h] += removed;
}

static int first_living(const Run *run)
{
    int g = 0;
    while (!run->left[g])
        g++;
    return g;
}

/* OU-A4: the first group in front; where no front monster lives, the first of all. */
static int first_in_reach(const Run *run)
{
    for (int g = 0; g < run->fight->groups; g++)
        if (run->left[g] && in_front(&run->fight->group[g]))
            return g;
    return first_living(run);
}

static void lose(Run *run, int h, int health)
{
    run->health[h] = run->health[h] > health ? run->health[h] - health : 0; /* OU-D4 */
    if (!run->health[h])
        run->standing &= ~(1u << h);
}

/* OU-G4, table 5.2, for a spell of level 1; the dart is lost with the die that showed 1 (OU-G3). */
static void mishap(Run *run, int h)
{
    uint64_t purpose = run->fight->purposes[MISHAP];
    int total = 1 + die(6, run->key, purpose, run->round, h, 0);
    if (total == 4 || total == 5)
        lose(run, h, 1);
    if (total == 6)
        run->blocked[h] = run->round + 1;
    if (total >= 7)
        lose(run, h, die(4, run->key, purpose, run->round, h, 1));
    /* 8 or more, burnout, needs a spell of level 2 */
}

/* OU-G1, OU-G5: Magic Dart without a push. */
static void dart(Run *run, int h)
{
    const uint64_t *purposes = run->fight->purposes;
    int sides = run->fight->hero[h].smart;
    if (die(sides, run->key, purposes[CASTING], run->round, h, 0) == 1)
        mishap(run, h);
    else
        attack(run, h, first_living(run), die(sides, run->key, purposes[DART], run->round, h, 0), NO_WEAPON);
}

/* OU-A3 with the warrior's level (OU-C1) and the quick die of a rogue in greater numbers (OU-C2). */
static void melee(Run *run, int h)
{
    const Hero *hero = &run->fight->hero[h];
    int sides = hero->vigor, bonus = hero->calling == WARRIOR ? hero->level : 0;
    if (hero->calling == ROGUE && hero->quick > sides && how_many(run->standing) > run->monsters)
        sides = hero->quick;
    int total = bonus + die(sides, run->key, run->fight->purposes[MELEE], run->round, h, 0);
    attack(run, h, first_in_reach(run), total, hero->blade);
}

/* The policy `plain`: dart, else missile, else melee. */
static void act(Run *run, int h)
{
    const Hero *hero = &run->fight->hero[h];
    int behind = run->rear >> h & 1;
    if (behind && hero->calling == MAGIC_USER && run->blocked[h] != run->round)
        dart(run, h);
    else if (behind && hero->missile != NO_WEAPON) {
        int total = die(hero->quick, run->key, run->fight->purposes[SHOT], run->round, h, 0); /* OU-A5 */
        attack(run, h, first_living(run), total, hero->missile);
    } else if (!behind)
        melee(run, h);
}

/* ------------------------------------------------------------------------------------------------------- monsters */

/* OU-E6, OU-E7: the legal hero who killed most of this group in the round before; ties by lot. */
static int target_of(const Run *run, int g, int m, unsigned legal)
{
    const int *killed = run->kills_before[g];
    unsigned tied = 0;
    int most = -1;
    for (unsigned left = legal; left; left &= left - 1) {
        int h = __builtin_ctz(left);
        if (killed[h] > most) {
            most = killed[h];
            tied = 0;
        }
        if (killed[h] == most)
            tied |= 1u << h;
    }
    int count = how_many(tied);
    if (count > 1)
        for (int lot = below(count, run->key, run->fight->purposes[TARGET], run->round, ENEMIES + g, m); lot; lot--)
            tied &= tied - 1;
    return __builtin_ctz(tied);
}

/* OU-E3, OU-E4: front monsters reach the rear only past a front that they outnumber. */
static inline unsigned legal_targets(const Run *run, int front, int front_monsters)
{
    int reaches_rear = !front || front_monsters > front_weight(run);
    return reaches_rear ? run->standing : run->standing & ~run->rear;
}

static void monster_phase(Run *run)
{
    const OverhillFight *fight = run->fight;
    int front_monsters = 0, abreast = fight->front_max;
    for (int g = 0; g < fight->groups; g++)
        front_monsters += in_front(&fight->group[g]) ? run->left[g] : 0;
    if (abreast && front_monsters > abreast)
        front_monsters = abreast;
    int attacks_left = front_monsters; /* OU-E2 */
    for (int g = 0; g < fight->groups; g++) {
        int front = in_front(&fight->group[g]);
        int value = front ? fight->group[g].melee : fight->group[g].range; /* OU-E9 */
        for (int m = 0; m < run->left[g] && run->standing; m++) {
            if (front && attacks_left-- <= 0)
                break;
            int h = target_of(run, g, m, legal_targets(run, front, front_monsters));
            int sides = front ? fight->hero[h].vigor : fight->hero[h].quick; /* OU-D1 */
            if (die(sides, run->key, fight->purposes[DEFENCE], run->round, ENEMIES + g, m) <= value)
                lose(run, h, value > 1 ? value : 1); /* OU-D2, OU-D3 */
        }
    }
}

/* -------------------------------------------------------------------------------------------------------- the run */

static int play_round(Run *run)
{
    const OverhillFight *fight = run->fight;
    step_up(run);
    for (int h = 0; h < fight->heroes; h++) {
        if (!(run->standing >> h & 1))
            continue;
        act(run, h);
        if (!run->standing)
            return LOSS; /* OU-Z2 */
        if (!run->monsters)
            return WIN; /* OU-Z1 */
    }
    monster_phase(run);
    if (!run->standing)
        return LOSS;
    size_t rows = sizeof run->kills[0] * (size_t)fight->groups;
    memcpy(run->kills_before, run->kills, rows); /* OU-R7 */
    memset(run->kills, 0, rows);
    return run->round == fight->round_cap ? DRAW : -1;
}

static int play_run(Run *run, const OverhillFight *fight, uint64_t key, unsigned rear)
{
    size_t rows = sizeof run->kills[0] * (size_t)fight->groups;
    run->fight = fight;
    run->key = key;
    run->standing = (1u << fight->heroes) - 1;
    run->rear = rear;
    run->walls = 0;
    run->round = run->monsters = 0;
    for (int h = 0; h < fight->heroes; h++) {
        run->health[h] = fight->hero[h].health;
        run->blocked[h] = 0;
        run->walls |= (unsigned)fight->hero[h].shield_wall << h;
    }
    for (int g = 0; g < fight->groups; g++)
        run->monsters += run->left[g] = fight->group[g].number;
    memset(run->kills, 0, rows);
    memset(run->kills_before, 0, rows);
    int end;
    do {
        run->round++;
        end = play_round(run);
    } while (end < 0);
    return end;
}

size_t overhill_size(void) { return sizeof(OverhillFight); }

/* outcome and rounds: one per run; hp: a row per unit, heroes first, with one number per run. */
void overhill_play(const OverhillFight *fight, uint64_t seed, int64_t count, const int64_t *runs, int8_t *outcome,
                   int16_t *rounds, int32_t *hp)
{
    unsigned rear = standard_formation(fight);
    Run run;
    for (int64_t i = 0; i < count; i++) {
        outcome[i] = (int8_t)play_run(&run, fight, run_key(seed, runs[i]), rear);
        rounds[i] = (int16_t)run.round;
        for (int h = 0; h < fight->heroes; h++)
            hp[h * count + i] = run.health[h];
        for (int g = 0; g < fight->groups; g++)
            hp[(fight->heroes + g) * count + i] = run.left[g];
    }
}
