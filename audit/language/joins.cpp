#include "audit/language/joins.hpp"

#include <algorithm>
#include <vector>

#include "audit/language/inversion.hpp"
#include "audit/language/transform_call.hpp"

namespace idxfsck::audit::language {

namespace {

bool in_a_number(char character) {
    return std::string_view{"0123456789+-.eE"}.find(character) != std::string_view::npos;
}

// What the operand's text may hold.
Alphabet alphabet_of(const Operand& operand) {
    if (operand.transforms.empty()) return {};
    const BoundTransform last = bind_transforms(operand.transforms).back();
    if (last.info->alphabet != nullptr) return last.info->alphabet(last.arguments);
    if (result_of(operand.transforms) == Gives::number) return {in_a_number, 0};
    return {};
}

// Attributes, with the literal text between each and the one before it.
struct Piece {
    const Operand* operand;
    std::string separator;
};

std::vector<Piece> pieces_of(const Template& parsed) {
    std::vector<Piece> pieces;
    std::string literal;
    for (const TemplatePart& part : parsed.parts) {
        if (part.operand && part.operand->varies()) {
            pieces.push_back({&*part.operand, std::move(literal)});
            literal.clear();
        } else if (part.operand) {
            literal += part.operand->literal.payload;
        } else {
            literal += part.literal;
        }
    }
    return pieces;
}

// Does the piece end, or begin, where the separator beside it can first be seen?
bool is_told(const Piece& piece, const std::string& separator) {
    const Alphabet alphabet = alphabet_of(*piece.operand);
    if (alphabet.width != 0) return true;
    if (alphabet.holds == nullptr) return false;
    return !std::all_of(separator.begin(), separator.end(), alphabet.holds);
}

}  // namespace

std::optional<BlurredJoin> blurred_join(const Template& parsed) {
    const std::vector<Piece> pieces = pieces_of(parsed);
    if (pieces.empty()) return std::nullopt;
    std::size_t begin = 0;
    std::size_t end = pieces.size() - 1;
    while (begin < end && is_told(pieces[begin], pieces[begin + 1].separator)) ++begin;
    while (begin < end && is_told(pieces[end], pieces[end].separator)) --end;
    if (begin == end) return std::nullopt;
    return BlurredJoin{source_name(*pieces[begin].operand), source_name(*pieces[begin + 1].operand),
                       pieces[begin + 1].separator};
}

}  // namespace idxfsck::audit::language
