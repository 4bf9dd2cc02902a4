// store/open_setting.hpp
//
// The settings of a store, checked: what opening for reading and for writing share.
//
// Errors   Throws Error (usage) naming the setting and what would be right.

#pragma once

#include "store/open.hpp"

namespace idxfsck::store {

// Is the kind known, and does it know these settings?
void check_settings(const std::string& kind, const Settings& settings);

// The folder of a store, from `path`, which is relative to `base_folder` unless absolute.
std::string path_setting(const Settings& settings, const std::string& base_folder);

// A setting that is text; empty if nothing is said.
std::string text_setting(const Settings& settings, const std::string& name);

// `rate`: so many `units` a second at most; 0 if nothing is said.
double rate_setting(const Settings& settings, const std::string& units);

// A setting that is true or false; false if nothing is said.
bool flag_setting(const Settings& settings, const std::string& name);

}  // namespace idxfsck::store
