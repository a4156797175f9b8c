/* P52 on a single spot, one run after another: `brawler` with swords against enemies that fight hand to hand.

   Written from the rule text and the draw points of the game's README; rule ids stand where they are played. What a
   fight may be is said in p52.py, which fills the tables and refuses everything else. On one spot nobody walks, flees
   or shoots: every range is 0. */

#include <stddef.h>
#include <string.h>

#include "luck.h"

enum { MOST_HEROES = 8, MOST_ENEMIES = 20, UNITS = MOST_HEROES + MOST_ENEMIES };
enum { CARDS = 52, VALUES = 13, ACE = 1, KING = 13, MOST_HELD = 5, MOST_STANCE = 3, KNOWN_SHUFFLES = 8 };
enum { SHUFFLE, ORDER_TIE, TARGET, PURPOSES };
enum { BODY_BLOCK, PARRY, DODGE, DEFENCES };

typedef struct {
    int32_t level, lift, initiative, hp, max_hp, armour, potions;
    int32_t sword, weapon_damage, parry_target, parry_bonus;
    int32_t defence[DEFENCES]; /* ability levels; 0 for untrained */
} Hero;

typedef struct {
    int32_t initiative, hp, max_hp, melee_defence, target;
    int32_t damage[VALUES + 1]; /* by the card that is flipped */
} Enemy;

typedef struct {
    uint64_t purposes[PURPOSES];
    int32_t heroes, enemies, flip_bonus, reshuffle_at, stamina_start, stamina_max, counter_depth, round_cap;
    Hero hero[MOST_HEROES];
    Enemy enemy[MOST_ENEMIES];
} P52Fight;

/* What follows from the fight and is the same in all runs. */
typedef struct {
    const P52Fight *fight;
    int worth_a_try[MOST_HEROES][MOST_ENEMIES];                                  /* P52-Y2: an attack with ED > 0 */
    uint8_t best_defence[MOST_HEROES][MOST_ENEMIES][MOST_STANCE + 1][VALUES + 1]; /* P52-Y3, by stance and card */
    uint64_t words[KNOWN_SHUFFLES][CARDS];
} Table;

typedef struct {
    const Table *table;
    uint64_t key, out; /* out: one bit per card that is in a stamina pile */
    int shuffle, left, held;
    uint8_t pile[CARDS]; /* the draw pile from the bottom up */
    uint8_t stamina[MOST_HEROES][MOST_HELD];
    int cards[MOST_HEROES], hp[MOST_HEROES], potions[MOST_HEROES], stance[MOST_HEROES];
    int enemy_hp[MOST_ENEMIES], last_attacker[MOST_ENEMIES];
    int order[UNITS]; /* heroes by their number, enemies from MOST_HEROES */
    int round, heroes_alive, enemies_left;
} Run;

static void hero_attack(Run *run, int h, int e, int stamina, int depth);
static void enemy_attack(Run *run, int e, int h, int depth);

/* ------------------------------------------------------------------------------------------------------- the deck */

static inline int value_of(int card) { return card % VALUES + 1; }

/* P52-R3: draw and discard pile together; the smallest key comes to lie on top. A key ends in its card. */
static void shuffle(Run *run)
{
    const Table *table = run->table;
    uint64_t keys[CARDS];
    int count = 0;
    for (int card = 0; card < CARDS; card++) {
        if (run->out >> card & 1)
            continue;
        uint64_t word = run->shuffle < KNOWN_SHUFFLES
                            ? table->words[run->shuffle][card]
                            : word_at(table->fight->purposes[SHUFFLE], run->shuffle, TABLE, card);
        uint64_t key = (mix(run->key ^ word) & ~(uint64_t)0xFF) | (uint64_t)card;
        int place = count++;
        for (; place > 0 && keys[place - 1] < key; place--)
            keys[place] = keys[place - 1];
        keys[place] = key;
    }
    for (int place = 0; place < count; place++)
        run->pile[place] = (uint8_t)keys[place];
    run->left = count;
}

static int top_card(Run *run)
{
    int discarded = CARDS - run->left - run->held;
    if (run->left <= run->table->fight->reshuffle_at && discarded > 0) {
        run->shuffle++;
        shuffle(run);
    }
    return run->pile[--run->left];
}

/* P52-R2 */
static inline int flip(Run *run) { return value_of(top_card(run)); }

/* P52-H9, P52-R5: a stamina card to the bottom of the pile. */
static void draw_stamina(Run *run, int h, int most)
{
    if (run->cards[h] >= most || CARDS - run->held < 10)
        return;
    int card = top_card(run);
    run->stamina[h][run->cards[h]++] = (uint8_t)card;
    run->out |= (uint64_t)1 << card;
    run->held++;
}

/* P52-R4: the value of the top card, which goes to the discard pile; 0 without a card. */
static int play_stamina(Run *run, int h)
{
    if (!run->cards[h])
        return 0;
    int card = run->stamina[h][0];
    run->cards[h]--;
    memmove(run->stamina[h], run->stamina[h] + 1, (size_t)run->cards[h]);
    run->out &= ~((uint64_t)1 << card);
    run->held--;
    return value_of(card);
}

/* ------------------------------------------------------------------------------------------------- a hero attacks */

static inline int sword_target(const Hero *hero) { return 9 - hero->sword; }
static inline int sword_damage(const Hero *hero, int over) { return 2 * hero->sword + over + hero->weapon_damage; }

/* P52-C4, P52-C5: what a hit does to an enemy that flips `d`. */
static int damage_dealt(const Hero *hero, const Enemy *enemy, int v, int total, int d)
{
    int base = sword_damage(hero, total - sword_target(hero)), against = total + enemy->melee_defence;
    if (d > against)
        return 0;
    if (d == against)
        return base / 2;
    return v == KING ? 2 * base : base;
}

static void hero_attack(Run *run, int h, int e, int stamina, int depth)
{
    const P52Fight *fight = run->table->fight;
    const Hero *hero = &fight->hero[h];
    run->last_attacker[e] = h; /* P52-E5 */
    int v = flip(run), total = v + stamina;
    if (v == ACE) { /* P52-C2, P52-C8 */
        if (depth < fight->counter_depth)
            enemy_attack(run, e, h, depth + 1);
        return;
    }
    if (total < sword_target(hero))
        return;
    run->enemy_hp[e] -= damage_dealt(hero, &fight->enemy[e], v, total, flip(run));
    if (run->enemy_hp[e] <= 0) { /* P52-C7, and the flip for a drop */
        run->enemies_left--;
        flip(run);
    }
}

/* ------------------------------------------------------------------------------------------------ a hero is hit */

typedef struct {
    int target, level, reduction; /* of a dodge: none */
} Defence;

/* P52-C15, P52-C17: target and reduction of a defence, untrained ones as level 1 with a higher target. */
static Defence defence_of(const Hero *hero, int kind)
{
    int trained = hero->defence[kind], level = trained ? trained : 1, harder = 3 - hero->level / 5;
    Defence defence = {trained ? 0 : harder > 1 ? harder : 1, level, 0};
    switch (kind) {
    case BODY_BLOCK:
        defence.target += 8 - level;
        defence.reduction = level + hero->lift / 2;
        break;
    case PARRY:
        defence.target += 10 - level + hero->parry_target;
        defence.reduction = level + hero->parry_bonus;
        break;
    default: /* DODGE */
        defence.target += 10 - level;
    }
    return defence;
}

/* P52-C13: hit points lost with a defence that came to `total`. */
static int damage_taken(const Hero *hero, int kind, Defence defence, int raw, int total)
{
    int over = total - defence.target, left = raw;
    if (over >= 0 && kind == DODGE)
        left = over >= 3 ? 0 : raw / 2;
    else if (over >= 0)
        left = raw - defence.reduction - (kind == PARRY ? over / 3 : 0);
    left -= hero->armour;
    return left > 0 ? left : 0;
}

/* P52-Y3: the least damage on average, then the most successes, then the order of the list. */
static int choose_defence(const Hero *hero, int raw, int stance)
{
    int best = BODY_BLOCK, least = 0, most = 0;
    for (int kind = 0; kind < DEFENCES; kind++) {
        Defence defence = defence_of(hero, kind);
        int taken = 0, successes = 0;
        for (int v = 1; v <= VALUES; v++) {
            taken += damage_taken(hero, kind, defence, raw, v + stance);
            successes += v + stance >= defence.target;
        }
        if (kind == BODY_BLOCK || taken < least || (taken == least && successes > most)) {
            best = kind;
            least = taken;
            most = successes;
        }
    }
    return best;
}

/* P52-C12 */
static inline int raw_damage(const Enemy *enemy, int v)
{
    int raw = enemy->damage[v] > 0 ? enemy->damage[v] : 0;
    return v == KING ? 2 * raw : raw;
}

/* P52-C8: a hero who stands and is not stunned strikes back, without stamina. */
static void hero_counters(Run *run, int h, int e, int depth)
{
    if (run->hp[h] > 0 && depth < run->table->fight->counter_depth && run->table->worth_a_try[h][e])
        hero_attack(run, h, e, 0, depth + 1);
}

static void enemy_attack(Run *run, int e, int h, int depth)
{
    const P52Fight *fight = run->table->fight;
    const Enemy *enemy = &fight->enemy[e];
    const Hero *hero = &fight->hero[h];
    int v = flip(run);
    if (v == ACE) { /* P52-C10 */
        hero_counters(run, h, e, depth);
        return;
    }
    if (v + fight->flip_bonus <= enemy->target) /* P52-C9, P52-C11 */
        return;
    int kind = run->table->best_defence[h][e][run->stance[h]][v], w = flip(run), total = w + run->stance[h];
    Defence defence = defence_of(hero, kind);
    run->hp[h] -= damage_taken(hero, kind, defence, raw_damage(enemy, v), total);
    if (run->hp[h] < 0)
        run->heroes_alive--; /* P52-C21 */
    if (kind == PARRY && total >= defence.target && (total - defence.target >= 3 || w == KING))
        hero_counters(run, h, e, depth);
}

/* ---------------------------------------------------------------------------------------------------------- turns */

/* P52-Y7 */
static void stunned_turn(Run *run, int h)
{
    const Hero *hero = &run->table->fight->hero[h];
    if (run->potions[h]) {
        int healed = 10 * hero->level;
        run->potions[h]--;
        run->hp[h] = healed < hero->max_hp ? healed : hero->max_hp;
        run->stance[h] = 0;
    } else if (run->stance[h] < MOST_STANCE)
        run->stance[h]++; /* P52-H6 */
}

/* P52-Y11: the weakest enemy, with a stamina card; without anybody to attack a stamina card is drawn. */
static void hero_turn(Run *run, int h)
{
    const Table *table = run->table;
    int target = -1;
    if (run->hp[h] == 0) {
        stunned_turn(run, h);
        return;
    }
    for (int e = 0; e < table->fight->enemies; e++)
        if (run->enemy_hp[e] > 0 && table->worth_a_try[h][e] &&
            (target < 0 || run->enemy_hp[e] < run->enemy_hp[target]))
            target = e;
    run->stance[h] = 0;
    if (target < 0)
        draw_stamina(run, h, table->fight->stamina_max);
    else {
        int stamina = play_stamina(run, h);
        hero_attack(run, h, target, stamina, 0);
    }
}

/* P52-E6: the last attacker; else the weakest, the one with the lowest Lift, by lot. All are equally close. */
static int target_of(const Run *run, int e)
{
    const P52Fight *fight = run->table->fight;
    int tied[MOST_HEROES], count = 0, last = run->last_attacker[e];
    if (last >= 0 && run->hp[last] >= 0)
        return last;
    for (int h = 0; h < fight->heroes; h++) {
        if (run->hp[h] < 0)
            continue;
        if (count) {
            int further = run->hp[h] - run->hp[tied[0]];
            if (!further)
                further = fight->hero[h].lift - fight->hero[tied[0]].lift;
            if (further > 0)
                continue;
            if (further < 0)
                count = 0;
        }
        tied[count++] = h;
    }
    return count == 1 ? tied[0] : tied[below(count, run->key, fight->purposes[TARGET], run->round, ENEMIES + e, 0)];
}

/* P52-E1 to E4: who is weak and has nowhere to flee to heals 1, everybody else attacks. */
static void enemy_turn(Run *run, int e)
{
    if (4 * run->enemy_hp[e] < run->table->fight->enemy[e].max_hp)
        run->enemy_hp[e]++;
    else
        enemy_attack(run, e, target_of(run, e), 0);
}

/* -------------------------------------------------------------------------------------------------------- the run */

enum { EVERYBODY, HEROES_ONLY, ENEMIES_ONLY };

/* P52-T1: everybody's turn in order; the end is looked for after each (P52-T5, P52-X1). */
static int take_turns(Run *run, int who)
{
    const P52Fight *fight = run->table->fight;
    for (int place = 0; place < fight->heroes + fight->enemies; place++) {
        int unit = run->order[place], is_enemy = unit >= MOST_HEROES;
        if (who == (is_enemy ? HEROES_ONLY : ENEMIES_ONLY))
            continue;
        if (is_enemy && run->enemy_hp[unit - MOST_HEROES] > 0)
            enemy_turn(run, unit - MOST_HEROES);
        if (!is_enemy && run->hp[unit] >= 0)
            hero_turn(run, unit);
        if (!run->enemies_left)
            return WIN;
        if (!run->heroes_alive)
            return LOSS;
    }
    return -1;
}

typedef struct {
    int unit, initiative, hp, actor;
} Place;

/* Whether a goes before b: initiative, hit points, heroes before enemies, lot (P52-S5). */
static int goes_before(const Run *run, Place a, Place b)
{
    uint64_t purpose = run->table->fight->purposes[ORDER_TIE];
    if (a.initiative != b.initiative)
        return a.initiative > b.initiative;
    if (a.hp != b.hp)
        return a.hp > b.hp;
    if ((a.unit >= MOST_HEROES) != (b.unit >= MOST_HEROES))
        return a.unit < MOST_HEROES;
    uint64_t first = mix(run->key ^ word_at(purpose, 0, TABLE, a.actor));
    uint64_t second = mix(run->key ^ word_at(purpose, 0, TABLE, b.actor));
    return first < second || (first == second && a.actor < b.actor);
}

static void order_of_play(Run *run)
{
    const P52Fight *fight = run->table->fight;
    Place places[UNITS];
    for (int number = 0; number < fight->heroes + fight->enemies; number++) {
        int e = number - fight->heroes, at = number;
        Place new = e < 0 ? (Place){number, fight->hero[number].initiative, run->hp[number], number}
                          : (Place){MOST_HEROES + e, fight->enemy[e].initiative, run->enemy_hp[e], ENEMIES + e};
        for (; at > 0 && goes_before(run, new, places[at - 1]); at--)
            places[at] = places[at - 1];
        places[at] = new;
    }
    for (int place = 0; place < fight->heroes + fight->enemies; place++)
        run->order[place] = places[place].unit;
}

/* P52-S3 to S5 */
static void set_up(Run *run, const Table *table, uint64_t key)
{
    const P52Fight *fight = table->fight;
    run->table = table;
    run->key = key;
    run->out = 0;
    run->shuffle = run->held = run->round = 0;
    run->heroes_alive = fight->heroes;
    run->enemies_left = fight->enemies;
    shuffle(run);
    for (int h = 0; h < fight->heroes; h++) {
        run->hp[h] = fight->hero[h].hp;
        run->potions[h] = fight->hero[h].potions;
        run->stance[h] = run->cards[h] = 0;
        for (int card = 0; card < fight->stamina_start; card++)
            draw_stamina(run, h, fight->stamina_max);
    }
    for (int e = 0; e < fight->enemies; e++) {
        run->enemy_hp[e] = fight->enemy[e].hp;
        run->last_attacker[e] = -1;
    }
    order_of_play(run);
}

static int play_run(Run *run, const Table *table, uint64_t key)
{
    set_up(run, table, key);
    int end = -1, start = flip(run); /* P52-S6 */
    if (start == ACE || start == KING)
        end = take_turns(run, start == ACE ? ENEMIES_ONLY : HEROES_ONLY);
    while (end < 0 && run->round < table->fight->round_cap) {
        run->round++;
        end = take_turns(run, EVERYBODY);
    }
    return end < 0 ? DRAW : end;
}

static int expects_damage(const Hero *hero, const Enemy *enemy)
{
    int sum = 0; /* P52-Y1 */
    for (int v = 2; v <= VALUES; v++)
        for (int d = 1; d <= VALUES && v >= sword_target(hero); d++)
            sum += damage_dealt(hero, enemy, v, v, d);
    return sum > 0;
}

static void prepare(Table *table, const P52Fight *fight)
{
    table->fight = fight;
    for (int h = 0; h < fight->heroes; h++)
        for (int e = 0; e < fight->enemies; e++) {
            table->worth_a_try[h][e] = expects_damage(&fight->hero[h], &fight->enemy[e]);
            for (int stance = 0; stance <= MOST_STANCE; stance++)
                for (int v = 1; v <= VALUES; v++)
                    table->best_defence[h][e][stance][v] =
                        (uint8_t)choose_defence(&fight->hero[h], raw_damage(&fight->enemy[e], v), stance);
        }
    for (int shuffle = 0; shuffle < KNOWN_SHUFFLES; shuffle++)
        for (int card = 0; card < CARDS; card++)
            table->words[shuffle][card] = word_at(fight->purposes[SHUFFLE], shuffle, TABLE, card);
}

size_t p52_size(void) { return sizeof(P52Fight); }

/* outcome and rounds: one per run; hp: a row per unit, heroes first, with one number per run. */
void p52_play(const P52Fight *fight, uint64_t seed, int64_t count, const int64_t *runs, int8_t *outcome,
              int16_t *rounds, int32_t *hp)
{
    Table table;
    Run run;
    prepare(&table, fight);
    for (int64_t i = 0; i < count; i++) {
        outcome[i] = (int8_t)play_run(&run, &table, run_key(seed, runs[i]));
        rounds[i] = (int16_t)run.round;
        for (int h = 0; h < fight->heroes; h++)
            hp[h * count + i] = run.hp[h];
        for (int e = 0; e < fight->enemies; e++)
            hp[(fight->heroes + e) * count + i] = run.enemy_hp[e];
    }
}
