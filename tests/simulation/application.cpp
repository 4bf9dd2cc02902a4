#include "tests/simulation/application.hpp"

#include <algorithm>

#include "tests/simulation/protocol.hpp"

namespace idxfsck::simulation {

namespace {

std::string words_of(const Wish& wish) {
    std::string words;
    for (const auto& [id, user] : wish) {
        words += (words.empty() ? "" : ", ") + id;
        if (!user) words += " goes";
        else words += " is " + (user->value.empty() ? "nowhere" : user->value) + " " + user->name;
    }
    return words;
}

std::string id_of(std::size_t number) { return "u" + std::to_string(number); }

// Chooses what to do next.
class Chooser {
public:
    Chooser(Random& random, const Model& model, const Habits& habits)
        : random_{random}, model_{model}, habits_{habits} {}

    Wish wish() {
        const std::string id = someone();
        const auto user = model_.users.find(id);
        if (user == model_.users.end()) return {{id, User{value(), name()}}};
        switch (random_.below(8)) {
            case 0:
                return {{id, std::nullopt}};
            case 1:
                return {{id, User{user->second.value, name()}}};
            case 2:
                return {{id, User{"", user->second.name}}};
            case 3:
            case 4:
                return with_another(id, user->second);
            default:
                return {{id, User{value(), user->second.name}}};
        }
    }

private:
    // Half of the time a user whose entry is wrong: where a repair is at work as well.
    std::string someone() {
        std::vector<std::string> wrong;
        for (const Slot& slot : model_.slots()) {
            if (!model_.agrees(slot) && !slot.second.empty()) wrong.push_back(slot.second);
        }
        if (wrong.empty() || random_.happens(0.5)) return id_of(random_.below(habits_.users));
        return wrong[random_.below(wrong.size())];
    }

    // A swap, or a hand-over.
    Wish with_another(const std::string& id, const User& user) {
        const std::string other = id_of(random_.below(habits_.users));
        const auto found = model_.users.find(other);
        if (other == id || found == model_.users.end()) return {{id, User{value(), user.name}}};
        const bool swap = random_.happens(0.5);
        return {{id, User{swap ? found->second.value : "", user.name}},
                {other, User{user.value, found->second.name}}};
    }

    std::string value() { return std::string(1, static_cast<char>('a' + random_.below(
                                                                            habits_.values))); }
    std::string name() { return random_.happens(0.5) ? "n" : "m"; }

    Random& random_;
    const Model& model_;
    const Habits& habits_;
};

}  // namespace

Application::Application(Ground& ground, Habits habits, std::size_t actors, Random random,
                         Events& events)
    : ground_{ground}, habits_{habits}, events_{events}, doing_(actors) {
    for (std::size_t actor = 0; actor < actors; ++actor) {
        randoms_.push_back(random.branch(actor));
    }
}

bool Application::has_work() const { return actors_with_work() > 0; }

bool Application::is_acting() const {
    return std::any_of(doing_.begin(), doing_.end(), [](const auto& act) { return act; });
}

std::size_t Application::actors_with_work() const {
    std::size_t count = 0;
    for (std::size_t actor = 0; actor < doing_.size(); ++actor) count += has_work(actor) ? 1 : 0;
    return count;
}

bool Application::is_late(std::int64_t now_ms, std::int64_t most_ms) const {
    return std::any_of(doing_.begin(), doing_.end(), [&](const auto& act) {
        return act && now_ms - acts_[*act].begun_ms > most_ms;
    });
}

void Application::step_oldest(std::int64_t now_ms) {
    std::optional<std::size_t> oldest;
    for (const auto& act : doing_) {
        if (act && (!oldest || *act < *oldest)) oldest = act;
    }
    if (oldest) run_step(acts_[*oldest], now_ms);
}

void Application::step(std::size_t choice, std::int64_t now_ms) {
    for (std::size_t actor = 0; actor < doing_.size(); ++actor) {
        if (!has_work(actor)) continue;
        if (choice-- > 0) continue;
        if (doing_[actor]) return run_step(acts_[*doing_[actor]], now_ms);
        return begin_random(actor, now_ms);
    }
}

bool Application::is_free(const Wish& wish) const {
    const auto overlaps = [&](const Act& act) {
        for (const auto& [id, wanted] : wish) {
            if (act.wish.contains(id)) return true;
            for (const auto& [other, theirs] : act.wish) {
                if (wanted && theirs && wanted->value == theirs->value) return true;
                const auto old = act.old.find(other);
                const bool was_there = old != act.old.end() && old->second;
                if (wanted && was_there && wanted->value == old->second->value) return true;
            }
        }
        return false;
    };
    return std::none_of(doing_.begin(), doing_.end(),
                        [&](const auto& act) { return act && overlaps(acts_[*act]); });
}

void Application::begin_random(std::size_t actor, std::int64_t now_ms) {
    --allowed_;
    const Wish wish = Chooser{randoms_[actor], ground_.model(), habits_}.wish();
    if (habits_.careful && !is_free(wish)) return;
    begin_act(actor, wish, now_ms);
}

void Application::begin(const Wish& wish, std::int64_t now_ms) { begin_act(0, wish, now_ms); }

void Application::begin_act(std::size_t actor, const Wish& wish, std::int64_t now_ms) {
    Act act;
    act.number = acts_.size();
    act.actor = actor;
    act.words = words_of(wish);
    act.wish = wish;
    act.begun_ms = now_ms;
    act.first_change = ground_.changes();
    doing_[actor] = act.number;
    if (trace) trace("actor " + std::to_string(actor) + " begins: " + act.words);
    acts_.push_back(std::move(act));
}

void Application::run_step(Act& act, std::int64_t now_ms) {
    Random& random = randoms_[act.actor];
    const auto end = [&](Ending ending, const std::string& words) {
        act.ending = ending;
        act.last_change = ground_.changes();
        doing_[act.actor].reset();
        if (trace) trace("actor " + std::to_string(act.actor) + words);
    };
    if (random.happens(habits_.crash)) {
        events_.add(Event::application_crash);
        return end(Ending::crashed, " is gone");
    }
    const Shape shape = ground_.model().shape;
    const std::vector<Move> moves = moves_of(act, shape, habits_.order);
    const std::int64_t stamp_ms = now_ms + random.between(-habits_.skew_ms, habits_.skew_ms);
    Stepper stepper{ground_, habits_, act, now_ms, stamp_ms, events_};
    const Move move = moves[act.next];
    if (trace) {
        constexpr const char* names[]{"looks", "writes base", "adds", "drops", "renames",
                                      "writes all"};
        trace("actor " + std::to_string(act.actor) + " " +
              names[static_cast<std::size_t>(move.doing)] + " " + move.id);
    }
    switch (stepper.run(move)) {
        case StepEnd::give_up:
            return end(Ending::gave_up, " gives up");
        case StepEnd::from_the_start:
            act.next = 0;
            return;
        case StepEnd::again:
            return;
        case StepEnd::on:
            break;
    }
    if (move.doing != Doing::look && !act.repeated && random.happens(habits_.repeat)) {
        act.repeated = true;
        return events_.add(Event::step_repeated);
    }
    act.repeated = false;
    ++act.next;
    if (act.next >= moves_of(act, shape, habits_.order).size()) end(Ending::done, " is done");
}

}  // namespace idxfsck::simulation
